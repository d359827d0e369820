#include "api/feed/shard_feed.h"

#include "api/api_testing.h"
#include "mcp/streams/fake_connection_testing.h"

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ShardFeedTest : public ApiFixture {
 protected:
  ~ShardFeedTest() override { wait(feed_.stop(1s, {})); }

  void open(std::optional<Cursor> cursor = std::nullopt, Principal principal = kLocal) {
    on_shard([&] {
      NewClient client{.principal = std::move(principal),
                       .address = "127.0.0.1:1",
                       .filter = {},
                       .cursor = std::move(cursor),
                       .slot = *slots_->take("")};
      feed_.open(std::move(client), std::make_unique<mcp::FakeTransport>(client_), "HEAD\r\n\r\n");
    });
  }

  std::string received() {
    return on_shard([this] { return client_.received; });
  }

  bool receives(const std::string& text) {
    return eventually([&] { return client_.received.find(text) != std::string::npos; });
  }

  inline static const Principal kLocal{
      .name = "local", .credential_id = "", .scopes = ScopeSet::all(), .projects = {}};

  mcp::FakeClient client_;
  TokenStore tokens_{directory_ / "tokens.json"};
  FeedOptions options_{.heartbeat = 20ms, .stall_timeout = 60ms};
  std::shared_ptr<ClientSlots> slots_ = std::make_shared<ClientSlots>(ClientLimits{});
  ShardFeed feed_{shards_[0].executor(), journal_, hub_.on(shards_[0]), tokens_, options_};
};

TEST_F(ShardFeedTest, AStreamBeginsWithTheHeadAndHello) {
  open();
  EXPECT_THAT(received(), StartsWith("HEAD\r\n\r\nretry: 2000\n"));
  EXPECT_THAT(received(), HasSubstr("event: hello\n"));
  EXPECT_THAT(received(), HasSubstr(R"("resumed":false,"missed":0)"));
  const auto clients = on_shard([this] { return feed_.clients(); });
  ASSERT_EQ(clients.size(), 1U);
  EXPECT_EQ(clients[0].principal, "local");
}

TEST_F(ShardFeedTest, DeliversNewEventsOnly) {
  publish(R"({"type":"note","text":"old"})");
  open();
  publish(R"({"type":"note","text":"new"})");
  EXPECT_TRUE(receives("new"));
  EXPECT_THAT(received(), Not(HasSubstr(R"("text":"old")")));
}

TEST_F(ShardFeedTest, ResumesAfterACursor) {
  const Sequence first = publish(R"({"type":"note","text":"one"})");
  publish(R"({"type":"note","text":"two"})");
  open(Cursor{.sequence = first, .epoch = journal_.epoch()});
  EXPECT_TRUE(receives("two"));
  EXPECT_THAT(received(), HasSubstr(R"("resumed":true,"missed":0)"));
  EXPECT_THAT(received(), Not(HasSubstr("\"one\"")));
}

TEST_F(ShardFeedTest, ACursorOfAnotherEpochGetsAGapAndAllHeldEvents) {
  publish(R"({"type":"note","text":"one"})");
  open(Cursor{.sequence = 7, .epoch = "another"});
  EXPECT_TRUE(receives("\"one\""));
  EXPECT_THAT(received(), HasSubstr(R"("resumed":false,"missed":null)"));
  EXPECT_THAT(received(), HasSubstr("event: gap\n"));
  EXPECT_EQ(feed_.counters().gaps.get(), 1U);
}

TEST_F(ShardFeedTest, SaysByeWhenItStops) {
  open();
  wait(feed_.stop(1s, {}));
  EXPECT_THAT(received(), HasSubstr("event: bye\n"));
  EXPECT_THAT(received(), HasSubstr("shutdown"));
  EXPECT_TRUE(on_shard([this] { return feed_.clients().empty(); }));
  EXPECT_TRUE(eventually([this] { return slots_->taken() == 0; }));
}

TEST_F(ShardFeedTest, SendsHeartbeatsToIdleClients) {
  on_shard([this] { feed_.start(); });
  open();
  EXPECT_TRUE(receives(": heartbeat"));
}

TEST_F(ShardFeedTest, DropsClientsThatMakeNoProgress) {
  on_shard([this] { feed_.start(); });
  on_shard([this] { client_.is_slow = true; });
  open();
  EXPECT_TRUE(eventually([this] { return client_.is_closed; }));
  EXPECT_EQ(feed_.counters().stalled.get(), 1U);
}

TEST_F(ShardFeedTest, EndsStreamsOfRevokedTokens) {
  const NewToken made = tokens_.create({.name = "ann", .scopes = {Scope::kRead}}).value();
  on_shard([this] { feed_.start(); });
  open(std::nullopt, tokens_.authenticate(TokenKind::kBearer, made.secret, wall_now()).value());
  ASSERT_TRUE(tokens_.revoke("ann"));
  EXPECT_TRUE(receives("token_revoked"));
}

}  // namespace
}  // namespace oriel
