#include "cli/commands/send.h"

#include "base/text/json_text.h"
#include "client/scripted_server_testing.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

SendOptions send_options(const std::string& url) {
  SendOptions options;
  options.server = {.url = http::parse_url(url).value(), .token = ""};
  options.message = "hello";
  return options;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kCreated = json_answer(
    R"({"session":{"session_id":"ses_9"},"task_id":"task_9","last_index":1})", "201 Created");

TEST(Send, ANewSessionHasOnlyTheGivenFields) {
  EXPECT_EQ(json_text(new_session_body(send_options("http://h"), "", "r1")),
            R"({"message":"hello","request_id":"r1"})");
}

TEST(Send, ANewSessionHasAllGivenFields) {
  SendOptions options = send_options("http://h");
  options.agent = "droid";
  options.project = "p";
  options.title = "t";
  options.permissions = PermissionMode::kDeny;
  EXPECT_EQ(json_text(new_session_body(options, "/src", "r1")),
            R"({"message":"hello","request_id":"r1","agent":"droid","project_id":"p",)"
            R"("workspace":"/src","title":"t","permissions":"deny"})");
}

TEST(Send, ANewSessionWorksInTheCurrentDirectoryAndIsReadFromItsStart) {
  ScriptedServer server({kCreated});
  const TaskPosition position = start_task(send_options(server.url())).value();
  EXPECT_EQ(position.session_id, "ses_9");
  EXPECT_EQ(position.task_id, "task_9");
  EXPECT_EQ(position.since_index, -1);
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("POST /api/sessions HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(has(request, "\"workspace\":\"" + fs::canonical(".").string() + "\"")) << request;
}

TEST(Send, ASessionOfAProjectHasNoDirectory) {
  ScriptedServer server({kCreated});
  SendOptions options = send_options(server.url());
  options.project = "shop";
  EXPECT_TRUE(start_task(options).has_value());
  EXPECT_FALSE(has(server.requests().at(0), "workspace"));
}

TEST(Send, AMissingDirectoryIsRejectedBeforeSending) {
  SendOptions options = send_options("http://127.0.0.1:1");
  options.directory = "/no/such/directory";
  EXPECT_EQ(start_task(options).error().message, "/no/such/directory: No such file or directory");
  options.directory = "/dev/null";
  EXPECT_EQ(start_task(options).error().message, "/dev/null: Not a directory");
}

TEST(Send, ATaskIsReadFromTheLastIndexBeforeIt) {
  ScriptedServer server({json_answer(R"({"session_id":"ses_1","last_index":41})"),
                         json_answer(R"({"session_id":"ses_1","task_id":"task_2","last_index":42})",
                                     "202 Accepted")});
  SendOptions options = send_options(server.url());
  options.session = "ses_1";
  const TaskPosition position = start_task(options).value();
  EXPECT_EQ(position.since_index, 41);
  EXPECT_EQ(position.task_id, "task_2");
  EXPECT_TRUE(
      server.requests().at(1).starts_with("POST /api/sessions/ses_1/messages HTTP/1.1\r\n"));
}

TEST(Send, ContinueSelectsTheNewestOpenSessionOfTheDirectory) {
  ScriptedServer server(
      {json_answer(R"({"sessions":[{"session_id":"ses_3","status":"completed"},)"
                   R"({"session_id":"ses_2","status":"idle","last_index":7},)"
                   R"({"session_id":"ses_1","status":"idle"}],"count":3})"),
       json_answer(R"({"session_id":"ses_2","task_id":"task_2"})", "202 Accepted")});
  SendOptions options = send_options(server.url());
  options.is_continued = true;
  options.directory = "/usr/../usr";
  EXPECT_EQ(start_task(options).value().session_id, "ses_2");
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /api/sessions?workspace=/usr HTTP/1.1\r\n"))
      << server.requests().at(0);
}

TEST(Send, ContinueWithoutASessionIsAnError) {
  ScriptedServer server({json_answer(R"({"sessions":[],"count":0})")});
  SendOptions options = send_options(server.url());
  options.is_continued = true;
  options.directory = "/usr";
  EXPECT_EQ(start_task(options).error().message, "there is no session to continue in /usr");
}

TEST(Send, ALostRequestIsRepeatedWithTheSameId) {
  ScriptedServer server({"", kCreated});
  EXPECT_EQ(start_task(send_options(server.url())).value().session_id, "ses_9");
  const auto body = [&](std::size_t i) {
    return server.requests().at(i).substr(server.requests().at(i).find("\r\n\r\n"));
  };
  EXPECT_TRUE(has(body(0), "\"request_id\":\""));
  EXPECT_EQ(body(0), body(1));
}

TEST(Send, ARequestStillInProgressIsRepeated) {
  const std::string still =
      json_answer(R"({"error":{"code":"in_progress","message":"still made"}})", "409 Conflict");
  ScriptedServer server({"", still, still, still, kCreated});
  EXPECT_EQ(start_task(send_options(server.url())).value().session_id, "ses_9");
}

// The notice of `oriel send --detach` for a message to a session in this state.
std::string said_of_a_message(const std::string& state, int queued) {
  ScriptedServer server(
      {json_answer(R"({"session_id":"ses_1","state":")" + state + "\"}"),
       json_answer(R"({"session_id":"ses_1","queued":)" + std::to_string(queued) + "}",
                   "202 Accepted")});
  SendOptions options = send_options(server.url());
  options.session = "ses_1";
  options.is_detached = true;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(send(options, in, out, err), 0);
  return err.str();
}

TEST(Send, AMessageToABusySessionIsReportedAsQueued) {
  EXPECT_EQ(said_of_a_message("processing", 1),
            "oriel: the session is working, and the message is queued; oriel cancel ses_1 "
            "cancels the running task\n");
  EXPECT_EQ(said_of_a_message("idle", 0), "");
  EXPECT_EQ(said_of_a_message("idle", 1), "");        // it waits only for its agent
  EXPECT_EQ(said_of_a_message("processing", 0), "");  // the task has just ended
}

TEST(Send, DetachedItPrintsTheSession) {
  ScriptedServer server({kCreated});
  SendOptions options = send_options(server.url());
  options.is_detached = true;
  options.message = "-";
  std::istringstream in("from standard input");
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(send(options, in, out, err), 0);
  EXPECT_EQ(out.str(), "ses_9\n");
  EXPECT_TRUE(has(server.requests().at(0), "from standard input"));
}

TEST(Send, AnEmptyMessageIsRejected) {
  SendOptions options = send_options("http://127.0.0.1:1");
  options.message = "-";
  std::istringstream in(" \n");
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(send(options, in, out, err), 2);
  EXPECT_EQ(err.str(), "oriel: the message is empty\n  see oriel send --help\n");
}

}  // namespace
}  // namespace oriel
