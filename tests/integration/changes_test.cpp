// What a session has changed in its workspace, as REST, MCP and the command line show it.

#include "child_process.h"
#include "hosted_fixture.h"
#include "mcp_client.h"
#include "processes.h"
#include "session_client.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class R_CHANGES_1 : public testing::Test {
 protected:
  std::filesystem::path workspace() const {
    return std::string(fixture_.request().at("workspace").as_string());
  }

  void write(const std::string& name, const std::string& text) const {
    write_file(workspace() / name, text);
  }

  json::object changes(const std::string& id, const std::string& query = {}) {
    const HttpResponse response =
        get(fixture_.server(), "/api/sessions/" + id + "/changes" + query);
    EXPECT_EQ(response.status, 200) << response.body;
    return response.json();
  }

  static std::vector<std::string> names_in(const json::object& changes) {
    std::vector<std::string> names;
    for (const json::value& file : changes.at("files").as_array())
      names.emplace_back(file.at("path").as_string());
    return names;
  }

  Finished run_changes(std::vector<std::string> words) {
    std::vector<std::string> all = {"changes"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--url", fixture_.server().url()});
    return run_oriel(all);
  }

  HostedFixture fixture_{{}, "permissions = \"allow\"\n"};
};

TEST_F(R_CHANGES_1, AFileThatTheAgentWroteIsListedWithItsDiffAlsoAfterARestart) {
  write("old", "before\n");
  std::string id;
  {
    SessionClient session(fixture_.server(), fixture_.request());
    id = session.id();
    EXPECT_THAT(names_in(changes(id)), IsEmpty());
    session.task("write notes.txt: hello");
  }
  for (int lives = 0; lives < 2; ++lives) {
    const json::object list = changes(id);
    EXPECT_EQ(list.at("source"), "git");
    EXPECT_EQ(list.at("note"), "");
    EXPECT_EQ(names_in(list), std::vector<std::string>{"notes.txt"});
    EXPECT_EQ(list.at("added"), 1);
    const json::object diff = changes(id, "/diff?path=notes.txt");
    EXPECT_THAT(std::string(diff.at("patch").as_string()), HasSubstr("+hello\n"));
    EXPECT_EQ(diff.at("is_truncated"), false);
    fixture_.restart();
  }
}

TEST_F(R_CHANGES_1, TheCommandLineShowsThePatchTheListAndJson) {
  SessionClient session(fixture_.server(), fixture_.request());
  session.task("write notes.txt: hello");
  write("b \x1b[2J", "x\n");
  const Finished patch = run_changes({session.id()});
  EXPECT_EQ(patch.exit_code, 0) << patch.err;
  EXPECT_THAT(patch.out, HasSubstr("+++ b/notes.txt"));
  EXPECT_EQ(patch.err, "");
  const Finished stat = run_changes({session.id(), "--stat"});
  EXPECT_THAT(stat.out, HasSubstr("notes.txt"));
  EXPECT_THAT(stat.out, HasSubstr("2 files changed, +2 -0"));
  EXPECT_THAT(stat.out, Not(HasSubstr("\x1b[2J")));
  const Finished one = run_changes({session.id(), "notes.txt", "--json"});
  EXPECT_EQ(json::parse(one.out).at("path"), "notes.txt");
  EXPECT_EQ(run_changes({session.id(), "none"}).exit_code, 1);
  EXPECT_EQ(run_changes({session.id(), "--stat", "--json"}).exit_code, 2);
  EXPECT_EQ(run_changes({}).exit_code, 2);
}

TEST_F(R_CHANGES_1, WithoutASnapshotTheAgentsEditsAreShownAndTheAnswerSaysSo) {
  HostedFixture off({"--max-snapshot-bytes", "0"}, "permissions = \"allow\"\n");
  SessionClient session(off.server(), off.request());
  session.task("write notes.txt: hello");
  const json::object list = get(off.server(), "/api/sessions/" + session.id() + "/changes").json();
  EXPECT_EQ(list.at("source"), "events");
  EXPECT_THAT(std::string(list.at("note").as_string()), HasSubstr("--max-snapshot-bytes 0"));
  EXPECT_EQ(names_in(list), std::vector<std::string>{"notes.txt"});
  const json::object diff =
      get(off.server(), "/api/sessions/" + session.id() + "/changes/diff").json();
  EXPECT_THAT(std::string(diff.at("patch").as_string()), HasSubstr("+hello\n"));
}

TEST_F(R_CHANGES_1, SecretsAreMaskedAndALongPatchIsCutAndSaysSo) {
  SessionClient session(fixture_.server(), fixture_.request());
  write("key", "token = ghp_0123456789abcdefghijklmnopqrstuvwxyz\n");
  const json::object secret = changes(session.id(), "/diff?path=key");
  EXPECT_EQ(secret.at("is_masked"), true);
  EXPECT_THAT(std::string(secret.at("patch").as_string()), Not(HasSubstr("ghp_0123")));
  std::string text;
  for (int i = 0; i < 60'000; ++i)
    text += "a line with its number " + std::to_string(i) + "\n";
  write("long", text);
  const json::object cut = changes(session.id(), "/diff?path=long");
  EXPECT_EQ(cut.at("is_truncated"), true);
  EXPECT_THAT(std::string(cut.at("patch").as_string()), HasSubstr("number 1000\n"));
  EXPECT_LE(cut.at("patch").as_string().size(), 512U << 10);
}

TEST_F(R_CHANGES_1, BadRequestsGetClearErrors) {
  SessionClient session(fixture_.server(), fixture_.request());
  const auto error = [&](const std::string& target) {
    const HttpResponse response = get(fixture_.server(), "/api/sessions/" + target);
    return std::to_string(response.status) + " " + response.error_code();
  };
  EXPECT_EQ(error("ses_none/changes"), "404 unknown_session");
  EXPECT_EQ(error(session.id() + "/changes/diff?path=none"), "404 unknown_file");
  EXPECT_EQ(error(session.id() + "/changes/diff?path=../x"), "404 unknown_file");
  EXPECT_EQ(error(session.id() + "/changes?paht=x"), "400 unknown_parameter");
}

TEST_F(R_CHANGES_1, TheMcpToolShowsTheSame) {
  SessionClient session(fixture_.server(), fixture_.request());
  session.task("write notes.txt: hello");
  McpClient client(fixture_.server());
  const json::object list = client.tool("session_changes", {{"session_id", session.id()}});
  EXPECT_EQ(names_in(list), std::vector<std::string>{"notes.txt"});
  const json::object diff =
      client.tool("session_changes", {{"session_id", session.id()}, {"path", "notes.txt"}});
  EXPECT_THAT(std::string(diff.at("patch").as_string()), HasSubstr("+hello\n"));
}

}  // namespace
}  // namespace oriel
