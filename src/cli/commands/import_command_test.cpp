#include "cli/commands/import_command.h"

#include "client/scripted_server_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace oriel {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRunning =
    R"({"state":"running","files_total":2,"bytes_total":10,"bytes_done":5})";
constexpr const char* kDone =
    R"({"state":"done","files_total":2,"files_done":2,"bytes_total":10,"bytes_done":10,)"
    R"("sessions":2,"turns":9})";

class ImportCommandTest : public testing::Test {
 protected:
  int run(const ScriptedServer& server, bool is_live = false) {
    options_.server = {.url = http::parse_url(server.url()).value(), .token = ""};
    options_.poll_every = std::chrono::milliseconds(1);
    return import_command(options_, is_live, out_, err_);
  }

  ImportCommandOptions options_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ImportCommandTest, IsStartedAndShownUntilItsEnd) {
  ScriptedServer server(
      {json_answer(kRunning, "202 Accepted"), json_answer(kRunning), json_answer(kDone)});
  options_.paths = {"/home/me/.claude/projects"};
  options_.days = 7;
  EXPECT_EQ(run(server), 0) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("50 %"), Not(HasSubstr("\r")),
                                HasSubstr("The import is done: 2 sessions, 9 turns")));
  EXPECT_THAT(server.requests().at(0),
              AllOf(HasSubstr("POST /api/import "),
                    HasSubstr(R"({"folders":["/home/me/.claude/projects"],"days":7})")));
  EXPECT_THAT(server.requests().at(1), HasSubstr("GET /api/import "));
}

TEST_F(ImportCommandTest, OnATerminalOneLineIsRedrawn) {
  ScriptedServer server({json_answer(kRunning, "202 Accepted"), json_answer(kDone)});
  EXPECT_EQ(run(server, true), 0);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("\r[############"), HasSubstr("100 %"),
                                HasSubstr("\x1b[K\nThe import is done")));
}

TEST_F(ImportCommandTest, ShowsARunningImport) {
  ScriptedServer server(
      {json_answer(R"({"error":{"code":"import_running","message":"m","hint":"h"}})",
                   "409 Conflict"),
       json_answer(kRunning), json_answer(kDone)});
  EXPECT_EQ(run(server), 0);
  EXPECT_THAT(err_.str(), HasSubstr("already running"));
}

TEST_F(ImportCommandTest, ARejectionIsReported) {
  ScriptedServer server(
      {json_answer(R"({"error":{"code":"path_not_allowed","message":"outside","hint":"roots"}})",
                   "400 Bad Request")});
  EXPECT_EQ(run(server), 1);
  EXPECT_EQ(err_.str(), "oriel: the server answered 400: outside\n  roots\n");
}

TEST_F(ImportCommandTest, ADryRunListsFiles) {
  ScriptedServer server({json_answer(
      R"({"files":[{"path":"/a.jsonl","size":7,"modified_at":"2026-11-16T08:00:00.000Z"}],)"
      R"("files_total":1,"bytes_total":7})")});
  options_.is_dry_run = true;
  EXPECT_EQ(run(server), 0);
  EXPECT_THAT(out_.str(), HasSubstr("/a.jsonl\n1 file, 7 B\n"));
  EXPECT_THAT(server.requests().at(0), HasSubstr(R"({"dry_run":true})"));
}

TEST_F(ImportCommandTest, CancellingSucceedsButACancelledImportFails) {
  constexpr const char* kCancelled = R"({"state":"cancelled","files_total":2,"files_done":1})";
  ScriptedServer first({json_answer(kCancelled, "202 Accepted")});
  EXPECT_EQ(run(first), 1);
  ScriptedServer second({json_answer(kCancelled)});
  options_.is_cancel = true;
  EXPECT_EQ(run(second), 0);
  EXPECT_THAT(second.requests().at(0), HasSubstr("DELETE /api/import "));
  ScriptedServer third({json_answer(R"({"state":"idle"})")});
  EXPECT_EQ(run(third), 0);
  EXPECT_THAT(out_.str(), HasSubstr("No import is running.\n"));
}

TEST_F(ImportCommandTest, JsonIsOneObjectAtTheEnd) {
  ScriptedServer server({json_answer(kRunning, "202 Accepted"), json_answer(kDone)});
  options_.is_json = true;
  EXPECT_EQ(run(server), 0);
  EXPECT_EQ(out_.str(), std::string(kDone) + "\n");
}

}  // namespace
}  // namespace oriel
