#include "client/task_reader.h"

#include "base/text/json_access.h"
#include "client/scripted_server_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

struct TaskRead {
  Result<void> result;
  std::vector<std::string> events;  // their texts
  std::vector<std::string> notices;
};

TaskRead run(const std::string& url, std::int64_t since = 4) {
  TaskRead read;
  TaskOutput output{
      .event =
          [&](const boost::json::object& event) {
            read.events.push_back(text_at(event, "text"));
            return text_at(event, "type") != "completion";
          },
      .notice = [&](const std::string& text) { read.notices.push_back(text); },
  };
  const ServerAccess server{.url = http::parse_url(url).value(), .token = ""};
  const TaskPosition position{.session_id = "ses_1", .task_id = "t1", .since_index = since};
  asio::io_context io(1);
  auto result = asio::co_spawn(io, read_task(server, position, output), asio::use_future);
  io.run();
  read.result = result.get();
  return read;
}

std::string event(int index, const std::string& type, const std::string& text,
                  const std::string& task = "t1") {
  return R"({"index":)" + std::to_string(index) + R"(,"type":")" + type + R"(","text":")" + text +
         R"(","task_id":")" + task + "\"}";
}

std::string page(const std::string& events) {
  return json_answer(R"({"events":[)" + events + R"(],"last_index":9,"status":"running"})");
}

std::string target_of(const std::string& request) {
  return request.substr(0, request.find(" HTTP/"));
}

TEST(TaskReader, ReadsPageAfterPageUntilTheTaskEnds) {
  ScriptedServer server({page(event(5, "delta", "a") + "," + event(6, "delta", "b")),
                         page(event(7, "completion", "ab") + "," + event(8, "status", "idle"))});
  const TaskRead read = run(server.url());
  EXPECT_TRUE(read.result.has_value());
  EXPECT_EQ(read.events, (std::vector<std::string>{"a", "b", "ab"}));
  EXPECT_EQ(target_of(server.requests()[0]),
            "GET /api/sessions/ses_1/events?since_index=4&limit=100&wait_ms=20000");
  EXPECT_EQ(target_of(server.requests()[1]),
            "GET /api/sessions/ses_1/events?since_index=6&limit=100&wait_ms=20000");
}

TEST(TaskReader, SkipsEventsOfOtherTasksOnly) {
  ScriptedServer server(
      {page(event(5, "completion", "other", "t0") + "," + event(6, "system", "for all", "") + "," +
            event(7, "completion", "ours"))});
  EXPECT_EQ(run(server.url()).events, (std::vector<std::string>{"for all", "ours"}));
}

TEST(TaskReader, ResumesAfterABrokenConnection) {
  ScriptedServer server({page(event(5, "delta", "a")),
                         "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"events\":[",
                         page(event(6, "completion", "b"))});
  const TaskRead read = run(server.url());
  EXPECT_TRUE(read.result.has_value());
  EXPECT_EQ(read.events, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(read.notices.size(), 1U);
  EXPECT_TRUE(read.notices[0].starts_with("reconnecting in ")) << read.notices[0];
  EXPECT_EQ(target_of(server.requests()[2]),
            "GET /api/sessions/ses_1/events?since_index=5&limit=100&wait_ms=0");
}

TEST(TaskReader, RetriesABusyServer) {
  ScriptedServer server({json_answer(R"({"error":{"message":"later"}})", "503 Unavailable"),
                         page(event(5, "completion", "b"))});
  EXPECT_EQ(run(server.url()).events, std::vector<std::string>{"b"});
}

TEST(TaskReader, WaitsForAWorkingSession) {
  ScriptedServer server({page(""), json_answer(R"({"session_id":"ses_1","state":"processing"})"),
                         page(event(5, "completion", "b"))});
  EXPECT_EQ(run(server.url()).events, std::vector<std::string>{"b"});
}

TEST(TaskReader, ATaskOfAnIdleSessionIsLost) {
  ScriptedServer server(
      {page(""), json_answer(R"({"session_id":"ses_1","status":"failed","state":"idle",)"
                             R"("reason":"the server was restarted","last_index":4})")});
  const TaskRead read = run(server.url());
  ASSERT_TRUE(read.result.has_error());
  EXPECT_EQ(read.result.error().message,
            "the task was cut off: the session is failed, the server was restarted");
}

TEST(TaskReader, ReadsTheRemainingEventsOfAnIdleSession) {
  ScriptedServer server({page(""),
                         json_answer(R"({"session_id":"ses_1","status":"idle","last_index":5})"),
                         page(event(5, "completion", "b"))});
  EXPECT_EQ(run(server.url()).events, std::vector<std::string>{"b"});
}

TEST(TaskReader, ReportsEventsThatAreNoLongerHeld) {
  ScriptedServer server(
      {json_answer(R"({"error":{"code":"events_purged","message":"gone"}})", "410 Gone"),
       page(event(900, "completion", "b"))});
  const TaskRead read = run(server.url());
  EXPECT_EQ(read.events, std::vector<std::string>{"b"});
  EXPECT_EQ(read.notices.size(), 1U);
  EXPECT_EQ(target_of(server.requests()[1]),
            "GET /api/sessions/ses_1/events?since_index=-1&limit=100&wait_ms=20000");
}

TEST(TaskReader, ARejectionEndsIt) {
  ScriptedServer server(
      {json_answer(R"({"error":{"message":"no such session"}})", "404 Not Found")});
  EXPECT_EQ(run(server.url()).result.error().message, "the server answered 404: no such session");
}

}  // namespace
}  // namespace oriel
