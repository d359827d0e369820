#include "supervisor/sessions/git.h"

#include "base/temp_directory_testing.h"
#include "posix/process_testing.h"
#include "supervisor/sessions/workspace.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;
using testing::Pair;

TEST(Git, GitGetsAShortListOfVariablesAndNoneOfItsOwn) {
  const Environment environment = git_environment({{"PATH", "/bin"},
                                                   {"HOME", "/home/ann"},
                                                   {"SSH_AUTH_SOCK", "/run/agent"},
                                                   {"GIT_DIR", "/elsewhere"},
                                                   {"GIT_CONFIG_COUNT", "1"},
                                                   {"GIT_SSH_COMMAND", "evil"},
                                                   {"LD_PRELOAD", "evil.so"},
                                                   {"MODEL_KEY", "secret"}});
  EXPECT_THAT(environment,
              AllOf(Contains(Pair("PATH", "/bin")), Contains(Pair("HOME", "/home/ann")),
                    Contains(Key("SSH_AUTH_SOCK"))));
  EXPECT_THAT(environment, AllOf(Contains(Pair("GIT_CONFIG_NOSYSTEM", "1")),
                                 Contains(Pair("GIT_CONFIG_GLOBAL", "/dev/null")),
                                 Contains(Pair("GIT_TERMINAL_PROMPT", "0"))));
  for (const char* name :
       {"GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "LD_PRELOAD", "MODEL_KEY"})
    EXPECT_THAT(environment, Not(Contains(Key(name))));
}

TEST(Git, GitRunsWithoutHooksMonitorAndFilters) {
  EXPECT_THAT(git_command({"status"}, {"filter.a.smudge", "filter.a.required"}, {}).argv,
              ElementsAre("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
                          "-c", "filter.a.smudge=", "-c", "filter.a.required=false", "status"));
}

// A repository that tries to run code whenever git touches it. All of it leaves a file in `traces`.
class R_SANDBOX_5 : public testing::Test {
 protected:
  R_SANDBOX_5() {
    sh("git init --quiet . && git config user.name a && git config user.email a@b &&"
       " echo '* filter=evil' >.gitattributes && echo text >file && git add . &&"
       " git commit --quiet --message first");
    for (const char* hook : {"post-checkout", "pre-commit", "reference-transaction"})
      add_program(repository_ / ".git/hooks" / hook, "touch " + traces_ + "/hook");
    add_program(repository_ / "monitor", "touch " + traces_ + "/monitor");
    sh("git config core.fsmonitor " + (repository_ / "monitor").string() +
       " && git config filter.evil.smudge 'touch " + traces_ + "/filter; cat'" +
       " && git config filter.evil.required true");
  }

  static void add_program(const fs::path& file, const std::string& script) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }

  void sh(const std::string& command) {
    ASSERT_EQ(std::system(("cd " + repository_.string() + " && " + command).c_str()), 0);
  }

  Result<void> make(CloneKind kind) {
    BlockingThread blocking;
    return run_here(make_workspace(workspace_, repository_.string(), kind, blocking));
  }

  std::string branch() {
    return run_here(run_git({"-C", workspace_.string(), "branch", "--show-current"}, {})).value();
  }

  TempDirectory directory_;
  fs::path repository_ = directory_.make("repository");
  std::string traces_ = directory_.make("traces");
  fs::path workspace_ = directory_ / "workspaces/ses_1";
};

TEST_F(R_SANDBOX_5, ARepositoryRunsNoCodeWhenAWorktreeIsMade) {
  ASSERT_TRUE(make(CloneKind::kWorktree));
  EXPECT_TRUE(fs::is_empty(traces_));
  EXPECT_TRUE(fs::exists(workspace_ / "file"));
  EXPECT_TRUE(fs::is_regular_file(workspace_ / ".git"));
  EXPECT_EQ(branch(), "oriel/ses_1\n");
  sh("git worktree add --quiet ../other");  // what is proven is not that this repository is tame
  EXPECT_TRUE(fs::exists(fs::path(traces_) / "hook"));
  EXPECT_TRUE(fs::exists(fs::path(traces_) / "filter"));
}

TEST_F(R_SANDBOX_5, FiltersThatApplyOnlyToTheNewWorktreeDoNotRun) {
  sh("git config --remove-section filter.evil");
  std::ofstream(repository_ / ".git/conditional")
      << "[filter \"evil\"]\n\tsmudge = touch " << traces_ << "/filter; cat\n";
  for (const char* condition : {"onbranch:oriel/**", "gitdir:**/worktrees/**"}) {
    sh("git config 'includeIf." + std::string(condition) + ".path' conditional");
    workspace_ = directory_ / "workspaces" / ("ses_" + std::to_string(std::strlen(condition)));
    ASSERT_TRUE(make(CloneKind::kWorktree)) << condition;
    EXPECT_TRUE(fs::is_empty(traces_)) << condition;
    EXPECT_TRUE(fs::exists(workspace_ / "file")) << condition;
    sh("rm " + (workspace_ / "file").string() + " && git -C " + workspace_.string() +
       " -c core.hooksPath=/dev/null -c core.fsmonitor=false checkout --quiet -- file");
    EXPECT_TRUE(fs::exists(fs::path(traces_) / "filter")) << "the condition holds";
    fs::remove(fs::path(traces_) / "filter");
    sh("git config --remove-section 'includeIf." + std::string(condition) + "'");
  }
}

TEST_F(R_SANDBOX_5, ARemoteRepositoryIsClonedWithoutItsCode) {
  BlockingThread blocking;
  ASSERT_TRUE(run_here(make_workspace(workspace_, "file://" + repository_.string(),
                                      CloneKind::kWorktree, blocking)));
  EXPECT_TRUE(fs::is_empty(traces_));
  EXPECT_TRUE(fs::exists(workspace_ / "file"));
}

TEST_F(R_SANDBOX_5, ARepositoryThatIsClonedForASandboxRunsNoCodeAndSharesNoFile) {
  ASSERT_TRUE(make(CloneKind::kSeparate));
  EXPECT_TRUE(fs::is_empty(traces_));
  EXPECT_TRUE(fs::exists(workspace_ / "file"));
  EXPECT_EQ(branch(), "oriel/ses_1\n");
  for (const auto& entry : fs::recursive_directory_iterator(workspace_)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(entry.hard_link_count(), 1U) << entry.path();
  }
  EXPECT_FALSE(fs::exists(workspace_ / ".git/objects/info/alternates"));
}

TEST_F(R_SANDBOX_5, FiltersThatCannotBeReadAreAnError) {
  EXPECT_THAT(run_here(git_filters(repository_.string())).value(),
              ElementsAre("filter.evil.smudge", "filter.evil.required"));
  sh("git config --remove-section filter.evil");
  EXPECT_TRUE(run_here(git_filters(repository_.string())).value().empty());
  std::ofstream(repository_ / ".git/config") << "[broken";
  EXPECT_FALSE(run_here(git_filters(repository_.string())));
}

TEST_F(R_SANDBOX_5, AMissingRepositoryFailsWithGitsMessage) {
  fs::remove_all(repository_ / ".git");
  const auto made = make(CloneKind::kSeparate);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::kWorkspaceFailed);
}

}  // namespace
}  // namespace oriel
