#include "cli/hooks/hooks_command.h"

#include "base/temp_directory_testing.h"
#include "client/scripted_server_testing.h"
#include "posix/text_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kUnreachable = "http://127.0.0.1:1";  // nobody listens there

class Hooks : public testing::Test {
 protected:
  int run(HooksAction action, const std::string& url = kUnreachable) {
    out_.str("");
    err_.str("");
    return hooks_command({.action = action,
                          .file = file_,
                          .is_dry_run = is_dry_run_,
                          .command = "/bin/oriel hook",
                          .server = {.url = http::parse_url(url).value(), .token = ""}},
                         out_, err_);
  }

  void write(const std::string& text) const {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }

  std::string text() const { return read_text_file(file_).value(); }

  TempDirectory dir_;
  fs::path file_ = dir_.path() / ".claude/settings.json";
  bool is_dry_run_ = false;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(Hooks, AreInstalledAndRemovedAndTheFileIsAsBefore) {
  write("{\"a\": 1}\n");
  fs::permissions(file_, fs::perms(0640));
  EXPECT_EQ(run(HooksAction::kInstall), 0) << err_.str();
  EXPECT_THAT(text(), HasSubstr("/bin/oriel hook"));
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms(0640));
  EXPECT_EQ(read_text_file(backup_of(file_)).value(), "{\"a\": 1}\n");
  EXPECT_EQ(fs::status(backup_of(file_)).permissions(), fs::perms(0640));
  EXPECT_EQ(run(HooksAction::kRemove), 0) << err_.str();
  EXPECT_EQ(text(), "{\"a\": 1}\n");
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Hooks, CreateTheFileAndItsDirectoryForTheirOwnerOnly) {
  EXPECT_EQ(run(HooksAction::kInstall), 0) << err_.str();
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(file_.parent_path()).permissions(), fs::perms(0700));
  EXPECT_FALSE(fs::exists(backup_of(file_)));
  EXPECT_THAT(err_.str(), HasSubstr(file_.string()));
}

TEST_F(Hooks, InstalledHooksAreNotWrittenAgain) {
  run(HooksAction::kInstall);
  const auto time = fs::last_write_time(file_);
  EXPECT_EQ(run(HooksAction::kInstall), 0);
  EXPECT_THAT(err_.str(), HasSubstr("already has the hooks"));
  EXPECT_EQ(fs::last_write_time(file_), time);
  EXPECT_FALSE(fs::exists(backup_of(file_)));
  run(HooksAction::kRemove);
  EXPECT_EQ(run(HooksAction::kRemove), 0);
  EXPECT_THAT(err_.str(), HasSubstr("has no hooks of Oriel"));
}

TEST_F(Hooks, ASymbolicLinkIsKept) {
  const fs::path real = dir_.path() / "dotfiles.json";
  std::ofstream(real) << "{}";
  fs::create_directories(file_.parent_path());
  fs::create_symlink("../dotfiles.json", file_);
  EXPECT_EQ(run(HooksAction::kInstall), 0) << err_.str();
  EXPECT_TRUE(fs::is_symlink(file_));
  EXPECT_THAT(read_text_file(real).value(), HasSubstr("oriel hook"));
}

TEST_F(Hooks, ADryRunShowsTheChangeAndLeavesTheFile) {
  write("{\n  \"a\": 1,\n  \"b\": 2\n}\n");
  is_dry_run_ = true;
  EXPECT_EQ(run(HooksAction::kInstall), 0);
  EXPECT_THAT(out_.str(), StartsWith("   \"a\": 1,\n-  \"b\": 2\n+  \"b\": 2,\n+  \"hooks\": {\n"));
  EXPECT_TRUE(out_.str().ends_with("+  }\n }\n"));
  EXPECT_EQ(text(), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
  EXPECT_FALSE(fs::exists(backup_of(file_)));
}

TEST_F(Hooks, AFileThatIsNotAJsonObjectIsRejectedAndKept) {
  for (const std::string bad : {"{ // mine\n}", "[]", "garbage"}) {
    write(bad);
    for (const HooksAction action :
         {HooksAction::kInstall, HooksAction::kRemove, HooksAction::kStatus}) {
      EXPECT_EQ(run(action), 1) << bad;
      EXPECT_THAT(err_.str(), AllOf(HasSubstr(file_.string()), HasSubstr("JSON"))) << bad;
    }
    EXPECT_EQ(text(), bad);
  }
}

TEST_F(Hooks, ADirectoryInsteadOfTheFileIsReported) {
  fs::create_directories(file_);
  EXPECT_EQ(run(HooksAction::kInstall), 1);
  EXPECT_THAT(err_.str(), HasSubstr(file_.string()));
}

TEST_F(Hooks, StatusShowsMissingHooks) {
  EXPECT_EQ(run(HooksAction::kStatus), 1);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("  PermissionRequest  missing\n"),
                                HasSubstr("127.0.0.1:1: connection refused")));
  EXPECT_THAT(err_.str(), HasSubstr("oriel hooks install"));
}

TEST_F(Hooks, StatusSucceedsIfAllAreInstalledAndTheServerResponds) {
  run(HooksAction::kInstall);
  ScriptedServer server({json_answer(R"({"sessions":[]})")});
  EXPECT_EQ(run(HooksAction::kStatus, server.url()), 0) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("  Stop               installed\n"),
                                HasSubstr(server.url() + " answers"), Not(HasSubstr("missing"))));
}

TEST_F(Hooks, StatusShowsThatTheServerRequiresAToken) {
  run(HooksAction::kInstall);
  ScriptedServer server({json_answer("{}", "401 Unauthorized")});
  EXPECT_EQ(run(HooksAction::kStatus, server.url()), 1);
  EXPECT_THAT(out_.str(), HasSubstr("ORIEL_TOKEN"));
}

TEST_F(Hooks, StatusShowsAnotherOrielAndDisabledHooks) {
  write(R"({"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{"command":"/old/oriel hook"}]}]}})");
  EXPECT_EQ(run(HooksAction::kStatus), 1);
  EXPECT_THAT(out_.str(), HasSubstr("  Stop               another: /old/oriel hook\n"));
  EXPECT_THAT(err_.str(), HasSubstr("disableAllHooks"));
}

}  // namespace
}  // namespace oriel
