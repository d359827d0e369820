// A server whose disk is full acknowledges nothing that it has not stored, and answers every call.

#include "deadline.h"
#include "hosted_fixture.h"
#include "mcp_client.h"
#include "session_client.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

// Limits the size of the files that the server writes, which acts like a full disk.
class FullDisk {
 public:
  explicit FullDisk(const ServerProcess& server) : pid_(server.pid()) {
    prlimit(pid_, RLIMIT_FSIZE, nullptr, &before_);
    const rlimit limit{.rlim_cur = 1, .rlim_max = before_.rlim_max};
    if (prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr) != 0) throw std::runtime_error("prlimit");
  }

  void make_room() { prlimit(pid_, RLIMIT_FSIZE, &before_, nullptr); }

 private:
  pid_t pid_;
  rlimit before_{};
};

json::object hello() {
  return {{"message", "hello"}, {"request_id", "r1"}};
}

std::size_t messages_of_people(const ServerProcess& server, const std::string& session_id) {
  const json::object page =
      get(server, "/api/sessions/" + session_id + "/events?limit=5000").json();
  std::size_t count = 0;
  for (const json::value& event : page.at("events").as_array()) {
    const json::value* const role = event.as_object().if_contains("role");
    if (event.at("type") == "message" && role != nullptr && *role == "user") ++count;
  }
  return count;
}

TEST(FullDiskServer, AMessageThatWaitsAtSigtermIsRefusedAndNotLostInSilence) {
  HostedFixture fixture({"--command-timeout", "10m"});
  const SessionClient session(fixture.server(), fixture.request());
  const FullDisk disk(fixture.server());
  auto waiting = std::async(std::launch::async, [&] { return session.post("/messages", hello()); });
  EXPECT_TRUE(eventually(
      [&] { return get(fixture.server(), "/health").json().at("status") == "degraded"; }));
  fixture.server().signal(SIGTERM);
  const HttpResponse answer = waiting.get();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.error_code(), "stopping");
  EXPECT_TRUE(fixture.server().wait_exit(kPatience));

  fixture.restart();
  EXPECT_EQ(messages_of_people(fixture.server(), session.id()), 0U);
  const SessionClient again(fixture.server(), session.id());
  EXPECT_EQ(again.post("/messages", hello()).status, 202);
  EXPECT_EQ(messages_of_people(fixture.server(), session.id()), 1U);
}

// Ends the server while this request waits, and returns its answer.
template <class Request>
auto answer_at_sigterm(HostedFixture& fixture, Request request) {
  const FullDisk disk(fixture.server());
  auto waiting = std::async(std::launch::async, std::move(request));
  EXPECT_TRUE(eventually(
      [&] { return get(fixture.server(), "/health").json().at("status") == "degraded"; }));
  fixture.server().signal(SIGTERM);
  auto answer = waiting.get();
  EXPECT_TRUE(fixture.server().wait_exit(kPatience));
  return answer;
}

TEST(FullDiskServer, ASaidTurnThatWaitsAtSigtermIsRefusedAndNotLostInSilence) {
  HostedFixture fixture({"--command-timeout", "10m"});
  const SessionClient session(fixture.server(), fixture.request());
  const json::object turn = {{"session_id", session.id()}, {"text", "hello"}, {"source", "voice"}};
  const HttpResponse answer =
      answer_at_sigterm(fixture, [&] { return post_json(fixture.server(), "/api/turns", turn); });
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.error_code(), "stopping");
  fixture.restart();
  EXPECT_EQ(messages_of_people(fixture.server(), session.id()), 0U);
}

TEST(FullDiskServer, AMessageOverMcpThatWaitsAtSigtermIsNotAcknowledged) {
  HostedFixture fixture({"--command-timeout", "10m"});
  const SessionClient session(fixture.server(), fixture.request());
  McpClient client(fixture.server());
  const json::object message = {{"session_id", session.id()}, {"message", "hello"}};
  const bool is_acknowledged = answer_at_sigterm(fixture, [&] {
    try {
      return !client.tool_result("session_message", message).contains("isError");
    } catch (const std::runtime_error&) {
      return false;  // an error of the protocol, or no answer
    }
  });
  EXPECT_FALSE(is_acknowledged);
  fixture.restart();
  EXPECT_EQ(messages_of_people(fixture.server(), session.id()), 0U);
}

TEST(FullDiskServer, LogsAFewLinesHoweverOftenItCannotStore) {
  HostedFixture fixture({"--command-timeout", "10ms"});
  const SessionClient session(fixture.server(), fixture.request());
  FullDisk disk(fixture.server());
  constexpr int kRequests = 200;
  for (int i = 0; i < kRequests; ++i) {
    EXPECT_EQ(post_event(fixture.server(), R"({"type":"note"})").status, 503);
    EXPECT_EQ(session.post("/messages", hello()).status, 503);
  }
  const std::string log = fixture.server().log();
  EXPECT_LE(std::count(log.begin(), log.end(), '\n'), 10) << log;
  disk.make_room();
}

TEST(FullDiskServer, EveryCallAnswersAndARepetitionSendsOnce) {
  HostedFixture fixture({"--command-timeout", "500ms"});
  SessionClient session(fixture.server(), fixture.request());
  FullDisk disk(fixture.server());
  const HttpResponse refused = session.post("/messages", hello());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.error_code(), "journal_failed");
  EXPECT_EQ(session.end().status, 503);

  disk.make_room();
  EXPECT_TRUE(eventually([&] { return session.end().status != 503; }));
  EXPECT_EQ(messages_of_people(fixture.server(), session.id()), 1U);
}

}  // namespace
}  // namespace oriel
