// On a disk that is full to the last byte, a shutdown still stores its records.

#include "hosted_fixture.h"
#include "publisher.h"
#include "session_client.h"
#include "small_disk.h"

#include <gmock/gmock.h>

#include <future>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A server whose data directory is on a small disk, and its demo agent's directories elsewhere.
class SpaceReserveServer : public testing::Test {
 protected:
  void SetUp() override {
    if (!disk_.problem().empty()) GTEST_SKIP() << disk_.problem();
    start();
  }

  void start() {
    const std::filesystem::path config = fixture_.data().parent_path() / "oriel.toml";
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"--config", config.string(), "--command-timeout", "10m"},
        disk_.path() / "data", Environment(), disk_.launcher());
  }

  // Returns once nothing can be stored.
  void fill_disk() {
    disk_.fill();
    const std::string event = R"({"type":"filler","text":")" + std::string(20'000, 'x') + "\"}";
    while (post_event(*server_, event).status == 201) {
    }
  }

  // After SIGTERM.
  void restart() {
    EXPECT_EQ(server_->wait_exit(kPatience), 0) << server_->log();
    server_.reset();
    disk_.make_room();
    start();
  }

  boost::json::array stored(const std::string& session_id, const std::string& types) const {
    return get(*server_, "/api/sessions/" + session_id + "/events?types=" + types)
        .json()
        .at("events")
        .as_array();
  }

  SmallDisk disk_{16};
  HostedFixture fixture_;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(SpaceReserveServer, StoresTheEndOfATaskAtShutdown) {
  SessionClient session(*server_, fixture_.request());
  session.send("hang");
  session.until([](const Event& event) { return string_of(event, "text") == "running"; });
  fill_disk();
  server_->signal(SIGTERM);
  restart();
  const boost::json::array events = stored(session.id(), "error,completion");
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_THAT(std::string(events[0].at("text").as_string()), HasSubstr("Oriel was stopped"));
}

TEST_F(SpaceReserveServer, StoresAndAcknowledgesAMessageThatWaitsAtShutdown) {
  const SessionClient session(*server_, fixture_.request());
  fill_disk();
  auto waiting = std::async(std::launch::async, [&] {
    return session.post("/messages", {{"message", "hello"}, {"request_id", "r1"}});
  });
  EXPECT_TRUE(eventually([&] { return server_->log().find(session.id()) != std::string::npos; }));
  server_->signal(SIGTERM);
  EXPECT_EQ(waiting.get().status, 202);
  restart();
  const boost::json::array events = stored(session.id(), "message");
  ASSERT_FALSE(events.empty());  // the agent may have begun to answer
  EXPECT_EQ(events[0].at("text"), "hello");
}

}  // namespace
}  // namespace oriel
