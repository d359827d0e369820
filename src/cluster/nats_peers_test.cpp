#include "cluster/nats_peers.h"

#include "base/event/event_view_testing.h"
#include "cluster/cutting_proxy_testing.h"
#include "cluster/nats_server_testing.h"
#include "journal/memory_engine.h"
#include "runtime/shards.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <future>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Peers over a journal in memory, which has no shared log.
class PeerNode {
 public:
  PeerNode(const std::string& url, const std::string& name, NatsPeersOptions options = {})
      : connection_({.servers = {url}, .name = name}, 10s),
        peers_(connection_, with_name(std::move(options), name)) {
    peers_.on_lost([this](const Node& node) {
      const MutexLock lock(mutex_);
      lost_.push_back(node.name);
    });
  }

  ~PeerNode() { stop(); }

  PeerNode(const PeerNode&) = delete;
  PeerNode& operator=(const PeerNode&) = delete;

  void start() {
    journal_.start();
    shards_.start();
    is_started_ = true;
    auto begin = [this] {
      peers_.start(shards_[0].executor(), journal_, [this] {
        return OwnState{.is_caught_up = true, .is_serving = is_serving.load()};
      });
    };
    asio::post(shards_[0].executor(), asio::use_future(begin)).get();
  }

  void stop() {
    if (!is_started_) return;
    is_started_ = false;
    asio::co_spawn(shards_[0].executor(), peers_.stop(), asio::use_future).get();
    journal_.stop();
    shards_.join();
  }

  Result<std::string> call(const std::string& node, const std::string& method,
                           const std::string& body, std::chrono::milliseconds deadline = 20s) {
    return begin_call(node, method, body, deadline).get();
  }

  std::future<Result<std::string>> begin_call(const std::string& node, const std::string& method,
                                              const std::string& body,
                                              std::chrono::milliseconds deadline = 20s) {
    return asio::co_spawn(shards_[0].executor(), peers_.call(node, method, body, deadline),
                          asio::use_future);
  }

  bool knows(const std::string& node) {
    return happens([&] { return peers_.find(node) && !peers_.find(node)->load.is_draining; });
  }

  std::vector<std::string> lost() {
    const MutexLock lock(mutex_);
    return lost_;
  }

  NatsPeers& peers() { return peers_; }

  std::atomic<bool> is_serving = true;

 private:
  static NatsPeersOptions with_name(NatsPeersOptions options, const std::string& name) {
    options.self.name = name;
    options.self.life = name + ".1";
    return options;
  }

  Mutex mutex_;
  std::vector<std::string> lost_ GUARDED_BY(mutex_);
  NatsConnection connection_;
  Shards shards_{1};
  Journal journal_{make_memory_engine({}), {}};
  NatsPeers peers_;
  bool is_started_ = false;
};

asio::awaitable<Result<std::string>> echo(std::string body) {
  co_return body + body;
}

asio::awaitable<Result<std::string>> fail(std::string body) {
  co_return Error{.kind = ErrorKind::kSessionEnded, .message = body, .hint = "create another"};
}

asio::awaitable<Result<std::string>> fail_badly(std::string body) {
  throw std::runtime_error(body);
  co_return body;
}

asio::awaitable<Result<std::string>> take_long(std::string body) {
  asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::hours(1));
  co_await timer.async_wait(asio::use_awaitable);
  co_return body;
}

class NatsPeersTest : public testing::Test {
 protected:
  NatsServer server_;
  CuttingProxy way_{server_.port()};
};

// Two nodes that know each other; the second one handles calls.
class NatsPeersCall : public NatsPeersTest {
 protected:
  explicit NatsPeersCall(NatsPeersOptions of_a = {}, NatsPeersOptions of_b = {})
      : a_(server_.url(), "a", std::move(of_a)), b_(way_.url(), "b", std::move(of_b)) {
    b_.peers().serve("echo", echo);
    b_.peers().serve("fail", fail);
    b_.peers().serve("fail_badly", fail_badly);
    b_.peers().serve("take_long", take_long);
    a_.start();
    b_.start();
  }

  void SetUp() override { ASSERT_TRUE(a_.knows("b")); }

  PeerNode a_;
  PeerNode b_;
};

TEST_F(NatsPeersTest, NodesSeeEachOthersLoadUrlAndLabels) {
  PeerNode a(server_.url(), "a");
  PeerNode b(server_.url(), "b",
             {.self = {.url = "http://b:7433", .version = "1.2", .labels = {"gpu"}}});
  b.peers().announce({.sessions = 3, .max_sessions = 7});
  a.start();
  b.start();
  ASSERT_TRUE(a.knows("b"));
  const Node node = a.peers().alive().at(0);
  EXPECT_EQ(node.life, "b.1");
  EXPECT_EQ(node.url, "http://b:7433");
  EXPECT_EQ(node.labels, std::vector<std::string>{"gpu"});
  EXPECT_EQ(node.load, (NodeLoad{.sessions = 3, .max_sessions = 7}));
}

TEST_F(NatsPeersTest, NodeThatDoesNotServeYetTakesNoSessionsAndNoCalls) {
  PeerNode a(server_.url(), "a");
  PeerNode b(server_.url(), "b");
  b.is_serving = false;
  b.peers().serve("echo", echo);
  a.start();
  b.start();
  ASSERT_TRUE(happens([&] { return a.peers().find("b").has_value(); }));
  EXPECT_TRUE(a.peers().find("b")->load.is_draining);
  const auto result = a.call("b", "echo", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
}

TEST_F(NatsPeersTest, NodeThatLeavesIsGoneAtOnce) {
  PeerNode a(server_.url(), "a");
  PeerNode b(server_.url(), "b");
  a.start();
  b.start();
  ASSERT_TRUE(a.knows("b"));
  b.stop();
  EXPECT_TRUE(happens([&] { return a.peers().alive().empty(); }));
  EXPECT_THAT(a.lost(), IsEmpty());
}

using R_CLUSTER_4_Peers = NatsPeersTest;

TEST_F(R_CLUSTER_4_Peers, NodeThatIsCutOffIsLostByTheOthersOnceAndLosesNobody) {
  const NatsPeersOptions quick{.node_timeout = 3s};
  PeerNode a(server_.url(), "a", quick);
  PeerNode b(way_.url(), "b", quick);
  PeerNode c(server_.url(), "c", quick);
  a.start();
  b.start();
  c.start();
  ASSERT_TRUE(a.knows("b") && a.knows("c") && b.knows("a") && c.knows("b"));
  way_.silence();
  EXPECT_TRUE(happens([&] { return !a.lost().empty() && !c.lost().empty(); }));
  EXPECT_THAT(a.lost(), ElementsAre("b"));
  EXPECT_THAT(c.lost(), ElementsAre("b"));
  EXPECT_THAT(b.lost(), IsEmpty());
}

TEST_F(R_CLUSTER_4_Peers, ProcessThatWasFrozenLosesNobody) {
  const NatsPeersOptions quick{.node_timeout = 3s};
  PeerNode a(server_.url(), "a", quick);
  PeerNode b(server_.url(), "b", quick);
  a.start();
  b.start();
  ASSERT_TRUE(a.knows("b") && b.knows("a"));
  const pid_t self = ::getpid();
  const pid_t freezer = ::fork();
  if (freezer == 0) {
    ::kill(self, SIGSTOP);
    ::sleep(5);
    ::kill(self, SIGCONT);
    ::_exit(0);
  }
  ::waitpid(freezer, nullptr, 0);
  ASSERT_TRUE(a.knows("b") && b.knows("a"));
  std::this_thread::sleep_for(1s);
  EXPECT_THAT(a.lost(), IsEmpty());
  EXPECT_THAT(b.lost(), IsEmpty());
}

TEST_F(NatsPeersTest, GarbageOnTheSubjectsIsIgnored) {
  PeerNode a(server_.url(), "a");
  PeerNode b(server_.url(), "b");
  b.peers().serve("echo", echo);
  a.start();
  b.start();
  ASSERT_TRUE(a.knows("b"));
  NatsConnection stranger(server_.options(), 10s);
  const std::string forged = to_json({.node = {.name = "x", .life = "x.1"}, .is_serving = true});
  for (const std::string& body : {std::string(), std::string("{}"), std::string(1 << 19, 'x'),
                                  std::string("\0\xff\n", 3), forged}) {
    stranger.publish("oriel.hb.b", body);
    stranger.publish("oriel.call.b", body);
    stranger.publish("oriel.call.b", body, "answer");
  }
  ASSERT_TRUE(stranger.request("oriel.call.b", "\n", 10s));
  EXPECT_EQ(*a.call("b", "echo", "x"), "xx");
  EXPECT_EQ(a.peers().alive().size(), 1);
}

using R_CLUSTER_5_PeersCall = NatsPeersCall;

TEST_F(R_CLUSTER_5_PeersCall, IsHandledByTheOtherNode) {
  const std::string bytes(400'000, '\xff');
  EXPECT_EQ(*a_.call("b", "echo", "ab"), "abab");
  EXPECT_EQ(*a_.call("b", "echo", bytes), bytes + bytes);
  EXPECT_EQ(*a_.call("b", "echo", ""), "");
}

TEST_F(NatsPeersCall, ReturnsTheHandlersError) {
  const auto result = a_.call("b", "fail", "the session has ended");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), (Error{.kind = ErrorKind::kSessionEnded,
                                   .message = "the session has ended",
                                   .hint = "create another"}));
}

TEST_F(NatsPeersCall, OfAHandlerThatThrowsIsAnInternalErrorAndTheNextOneWorks) {
  const auto result = a_.call("b", "fail_badly", "secret");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInternalError);
  EXPECT_THAT(result.error().message, Not(HasSubstr("secret")));
  EXPECT_EQ(*a_.call("b", "echo", "x"), "xx");
}

TEST_F(NatsPeersCall, OfAnUnknownMethodIsAnError) {
  const auto result = a_.call("b", "dance", "");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kOtherVersion);
}

TEST_F(NatsPeersCall, ToANodeThatDoesNotExistFailsAtOnce) {
  for (const char* node : {"nobody", "*", "a b", ""}) {
    const auto result = a_.call(node, "echo", "", 1h);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable) << node;
  }
}

TEST_F(NatsPeersCall, ToANodeThatIsSilentFailsAfterItsDeadline) {
  way_.silence();
  const auto result = a_.call("b", "echo", "", 1s);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
}

TEST_F(NatsPeersCall, ThatTakesTooLongFailsAfterItsDeadline) {
  const auto result = a_.call("b", "take_long", "", 500ms);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
}

TEST_F(NatsPeersCall, WithoutNatsFails) {
  server_.kill();
  const auto result = a_.call("b", "echo", "", 2s);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
  server_.start();
  EXPECT_TRUE(happens([&] { return a_.call("b", "echo", "x", 1s).has_value(); })) << "NATS is back";
}

TEST_F(NatsPeersCall, ThatIsTooLargeIsRefused) {
  for (const std::size_t size : {kMaxCallBytes + 1, kMaxCallBytes / 2 + 1}) {
    const auto result = a_.call("b", "echo", std::string(size, 'x'));
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(result.error().kind, ErrorKind::kBodyTooLarge) << size;
  }
  EXPECT_EQ(a_.call("b", "echo", std::string(kMaxCallBytes / 2, 'x'))->size(), kMaxCallBytes);
}

TEST_F(NatsPeersCall, IsAnsweredWhenTheNodeStops) {
  auto waiting = a_.begin_call("b", "take_long", "", 1h);
  ASSERT_EQ(*a_.call("b", "echo", "x"), "xx");
  b_.stop();
  const auto result = waiting.get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
}

class FewPeersCalls : public NatsPeersCall {
 protected:
  FewPeersCalls() : NatsPeersCall({.max_calls = 4}, {.max_handled = 3}) {}
};

TEST_F(FewPeersCalls, AreHandledAtOnceAndTheRestIsRefused) {
  std::vector<std::future<Result<std::string>>> waiting;
  for (int i = 0; i < 3; ++i)
    waiting.push_back(a_.begin_call("b", "take_long", "", 20s));
  const auto by_b = a_.call("b", "echo", "x");
  ASSERT_FALSE(by_b);
  EXPECT_EQ(by_b.error().kind, ErrorKind::kTooManyRequests);
  b_.stop();
  for (auto& each : waiting)
    EXPECT_FALSE(each.get());
}

TEST_F(FewPeersCalls, WaitAtOnceAndTheRestIsRefused) {
  way_.silence();
  std::vector<std::future<Result<std::string>>> waiting;
  for (int i = 0; i < 4; ++i)
    waiting.push_back(a_.begin_call("b", "echo", "", 3s));
  const auto refused = a_.call("b", "echo", "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kTooManyRequests);
  for (auto& each : waiting)
    EXPECT_EQ(each.get().error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_EQ(a_.call("nobody", "echo", "x").error().kind, ErrorKind::kNodeUnreachable)
      << "there is room again";
}

}  // namespace
}  // namespace oriel
