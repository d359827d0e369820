#include "api/feed/sse_client.h"

#include "api/api_testing.h"
#include "mcp/streams/fake_connection_testing.h"

namespace oriel {
namespace {

using namespace std::chrono_literals;
using Clock = http::EventStream::Clock;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class SseClientTest : public ApiFixture {
 protected:
  ~SseClientTest() override {
    on_shard([this] { client_.reset(); });
  }

  void start(EventFilter filter = {}, std::size_t max_queued_bytes = 1 << 20) {
    on_shard([&] {
      Principal principal{
          .name = "ann", .credential_id = "", .scopes = {Scope::kRead}, .projects = {}};
      client_ = std::make_unique<SseClient>("c1", std::move(principal), "127.0.0.1:1",
                                            hub_.on(shards_[0]), journal_.epoch(), counters_,
                                            [this](SseClient&) { has_ended_ = true; });
      SubscribeOptions options;
      options.filter = std::move(filter);
      options.after = journal_.head();
      options.max_queued_bytes = max_queued_bytes;
      client_->start(std::make_unique<mcp::FakeTransport>(peer_), "HEAD", std::move(options));
    });
  }

  void tick(Clock::time_point now) {
    on_shard([&] { client_->tick(now, 1s, 10s); });
  }

  bool receives(const std::string& text) {
    return eventually([&] { return peer_.received.find(text) != std::string::npos; });
  }

  mcp::FakeClient peer_;
  FeedCounters counters_;
  std::unique_ptr<SseClient> client_;
  bool has_ended_ = false;
};

TEST_F(SseClientTest, CountsWhatItDelivers) {
  start();
  publish(R"({"type":"note"})");
  ASSERT_TRUE(receives("event: note"));
  EXPECT_EQ(counters_.deliveries.get(), 1U);
  const SseClientInfo info = on_shard([this] { return client_->info(); });
  EXPECT_EQ(info.client_id, "c1");
  EXPECT_EQ(info.principal, "ann");
  EXPECT_TRUE(info.is_live);
  EXPECT_EQ(info.sent_bytes, peer_.received.size());
}

TEST_F(SseClientTest, AHeartbeatComesOnlyAfterSilence) {
  start();
  tick(Clock::now());
  EXPECT_EQ(on_shard([this] { return peer_.received; }), "HEAD");
  tick(Clock::now() + 2s);
  EXPECT_THAT(on_shard([this] { return peer_.received; }), EndsWith(": heartbeat\n\n"));
  EXPECT_EQ(counters_.heartbeats.get(), 1U);
}

TEST_F(SseClientTest, AHeartbeatMovesTheCursorPastEventsThatTheFilterDrops) {
  EventFilter filter;
  filter.types = {"alarm"};
  start(std::move(filter));
  const Sequence sequence = publish(R"({"type":"note"})");
  const std::string id = "id: " + std::to_string(sequence) + "-" + journal_.epoch();
  EXPECT_TRUE(eventually([&] {
    client_->tick(Clock::now() + 2s, 1s, 10s);
    return peer_.received.find(id) != std::string::npos;
  }));
  EXPECT_THAT(on_shard([this] { return peer_.received; }), Not(HasSubstr("event: note")));
}

TEST_F(SseClientTest, ASlowClientIsNotStalledUntilTheLimit) {
  start();
  on_shard([this] { peer_.is_slow = true; });
  publish(R"({"type":"note"})");
  ASSERT_TRUE(eventually([this] { return !peer_.pending.empty(); }));
  const auto now = Clock::now();
  tick(now);
  EXPECT_FALSE(on_shard([this] { return has_ended_; }));
  tick(now + 11s);
  EXPECT_TRUE(on_shard([this] { return has_ended_; }));
  EXPECT_EQ(counters_.stalled.get(), 1U);
}

TEST_F(SseClientTest, AClientThatFallsBehindIsReplayingUntilItHasReadEverything) {
  start({}, 4000);
  on_shard([this] { peer_.is_slow = true; });
  constexpr std::size_t kEvents = 100;
  for (std::size_t i = 0; i < kEvents; ++i)
    publish(R"({"type":"note"})");
  ASSERT_TRUE(eventually([this] { return !client_->info().is_live; }));
  EXPECT_FALSE(on_shard([this] { return has_ended_; }));
  on_shard([this] { peer_.release(); });
  EXPECT_TRUE(
      eventually([&] { return client_->info().is_live && peer_.events().size() >= kEvents; }));
  EXPECT_EQ(on_shard([this] { return peer_.events().size(); }), kEvents);
  EXPECT_FALSE(on_shard([this] { return has_ended_; }));
}

TEST_F(SseClientTest, EndsWhenThePeerCloses) {
  start();
  on_shard([this] { peer_.close(); });
  EXPECT_TRUE(on_shard([this] { return has_ended_; }));
}

}  // namespace
}  // namespace oriel
