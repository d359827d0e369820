// A server whose disk is full acknowledges nothing that it has not stored, and answers every call.

#include "deadline.h"
#include "hosted_fixture.h"
#include "session_client.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <future>

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
