#include "cluster/nats_log.h"

#include "cluster/cutting_proxy_testing.h"
#include "cluster/entry_codec.h"
#include "cluster/nats_log_testing.h"
#include "journal/journal_testing.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class NatsLogTest : public testing::Test {
 protected:
  explicit NatsLogTest(NatsServerSettings settings = {}) : server_("", settings) {
    if (settings.is_started) make_stream();
  }

  void make_stream() {
    NatsConnection connection(server_.options(), 10s);
    const auto made = open_log_stream(connection, {.new_log = "test"}, 30s);
    ASSERT_TRUE(made) << made.error().message;
  }

  std::unique_ptr<TestNode> node(const std::string& name,
                                 std::unique_ptr<JournalEngine> engine = nullptr,
                                 std::chrono::milliseconds patience = 1h) {
    if (!engine) engine = make_large_memory_engine();
    return std::make_unique<TestNode>(server_.options(), name, std::move(engine), patience);
  }

  std::unique_ptr<JournalEngine> sqlite(const std::string& name) {
    return open_sqlite_engine({.file = directory_ / (name + ".db"), .is_replica = true});
  }

  // Appends from several nodes at once, on a thread for each, until stopped.
  class Load {
   public:
    explicit Load(std::vector<TestNode*> nodes) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        threads_.emplace_back([this, i, &node = *nodes[i]] { run(node, i); });
    }

    ~Load() { finish(); }

    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    // Ends after those under way.
    void finish() {
      ends_ = true;
      for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
    }

    // Waits until so many more appends were answered.
    bool goes_on(int count) {
      const int until = answered_ + count;
      return happens([&] { return answered_ >= until; }, 60s);
    }

    // What was answered: "sequence session event".
    std::set<std::string> acknowledged() {
      const MutexLock lock(mutex_);
      return acknowledged_;
    }

    int refused() const { return refused_; }

   private:
    void run(TestNode& node, std::size_t index) {
      for (int i = 0; !ends_; ++i) {
        std::vector<TestNode::Answer> answers;
        for (int k = 0; k < 8; ++k) {
          const std::string text = std::to_string(index) + "-" + std::to_string(i * 8 + k);
          answers.push_back(node.append("s" + std::to_string(k), text));
        }
        for (TestNode::Answer& answer : answers)
          note(answer.get());
      }
    }

    void note(const AppendResult& result) {
      ++answered_;
      if (!result) {
        ++refused_;
        return;
      }
      const Record& record = *result->at(0);
      const MutexLock lock(mutex_);
      acknowledged_.insert(std::to_string(record.sequence) + " " + record.session_id + " " +
                           record.json());
    }

    std::atomic<bool> ends_ = false;
    std::atomic<int> answered_ = 0;
    std::atomic<int> refused_ = 0;
    Mutex mutex_;
    std::set<std::string> acknowledged_ GUARDED_BY(mutex_);
    std::vector<std::thread> threads_;
  };

  // All nodes have stored the same, each acknowledged event is there at its place, none is there
  // twice.
  static void expect_exact(std::vector<TestNode*> nodes, Load& load) {
    std::uint64_t last = 0;
    for (TestNode* node : nodes)
      last = std::max(last, node->journal().applied().place);
    for (TestNode* node : nodes)
      ASSERT_TRUE(node->reaches(last));
    const auto table = nodes[0]->table();
    for (TestNode* node : nodes) {
      EXPECT_EQ(node->table(), table);
      EXPECT_EQ(node->documents(), nodes[0]->documents());
      EXPECT_EQ(node->journal().applied(), nodes[0]->journal().applied());
    }
    const std::set<std::string> stored(table.begin(), table.end());
    const std::set<std::string> acknowledged = load.acknowledged();
    EXPECT_TRUE(
        std::includes(stored.begin(), stored.end(), acknowledged.begin(), acknowledged.end()));
    EXPECT_EQ(load.refused(), 0);
    // Every append was answered, so that what is stored is what was acknowledged.
    EXPECT_EQ(stored.size(), acknowledged.size());
  }

  TempDirectory directory_;
  NatsServer server_;
};

TEST_F(NatsLogTest, AnAppendIsAnsweredAndSeenByAllNodesAtTheSamePlace) {
  const auto left = node("left");
  const auto right = node("right", sqlite("right"));
  const AppendResult answer = left->append("s", "hello").get();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->at(0)->sequence, 1);
  ASSERT_TRUE(right->reaches(left->journal().applied().place));
  EXPECT_THAT(right->table(), SizeIs(1));
  EXPECT_EQ(left->table(), right->table());
}

TEST_F(NatsLogTest, AppendsOfOneThreadAreStoredInItsOrder) {
  const auto left = node("left");
  std::vector<TestNode::Answer> answers;
  for (int i = 0; i < 2000; ++i)
    answers.push_back(left->append("s", std::to_string(i)));
  for (std::size_t i = 0; i < answers.size(); ++i)
    ASSERT_EQ(answers[i].get()->at(0)->index, i);
}

using R_CLUSTER_2_Log = NatsLogTest;
using R_CLUSTER_3_Log = NatsLogTest;
using R_CLUSTER_4_Log = NatsLogTest;
using R_CLUSTER_6_Log = NatsLogTest;
using R_CLUSTER_7_Log = NatsLogTest;

TEST_F(R_CLUSTER_3_Log, AllNodesShowTheSameEventsInTheSameOrder) {
  const auto a = node("a");
  const auto b = node("b", sqlite("b"));
  const auto c = node("c");
  Load load({a.get(), b.get(), c.get()});
  EXPECT_TRUE(load.goes_on(2000));
  load.finish();
  expect_exact({a.get(), b.get(), c.get()}, load);
}

TEST_F(R_CLUSTER_2_Log, NothingIsLostOrDoubledWhenTheServerIsKilled) {
  const auto a = node("a");
  const auto b = node("b", sqlite("b"));
  Load load({a.get(), b.get()});
  for (int life = 0; life < 3; ++life) {
    ASSERT_TRUE(load.goes_on(300));
    server_.kill();
    server_.start();
  }
  ASSERT_TRUE(load.goes_on(300));
  load.finish();
  expect_exact({a.get(), b.get()}, load);
  EXPECT_GT(a->log().state().repeated + b->log().state().repeated, 0);
}

TEST_F(R_CLUSTER_2_Log, NothingIsLostOrDoubledWhenTheServerIsFrozen) {
  const auto a = node("a");
  const auto b = node("b");
  Load load({a.get(), b.get()});
  ASSERT_TRUE(load.goes_on(300));
  server_.freeze();
  ASSERT_TRUE(happens([&] { return !a->connection().is_connected(); }));
  server_.thaw();
  ASSERT_TRUE(load.goes_on(300));
  load.finish();
  expect_exact({a.get(), b.get()}, load);
}

TEST_F(R_CLUSTER_2_Log, NothingIsLostOrDoubledWhenANodesConnectionIsCut) {
  CuttingProxy proxy(server_.port());
  TestNode a({.servers = {proxy.url()}}, "a", make_large_memory_engine());
  const auto b = node("b");
  ASSERT_TRUE(a.connection().wait_connected(30s));
  Load load({&a, b.get()});
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(load.goes_on(100));
    proxy.cut();
  }
  ASSERT_TRUE(load.goes_on(100));
  load.finish();
  expect_exact({&a, b.get()}, load);
  EXPECT_GT(a.log().state().refilled, 0);
}

TEST_F(R_CLUSTER_6_Log, ANodeThatWasCutOffReadsWhatItHasMissed) {
  CuttingProxy proxy(server_.port());
  TestNode a({.servers = {proxy.url()}}, "a", make_large_memory_engine());
  const auto b = node("b");
  ASSERT_TRUE(a.connection().wait_connected(30s));
  proxy.cut(true);
  Load load({b.get()});
  ASSERT_TRUE(load.goes_on(2000));
  load.finish();
  auto waiting = a.append("s", "meanwhile");
  EXPECT_EQ(waiting.wait_for(0ms), std::future_status::timeout);
  proxy.restore();
  ASSERT_TRUE(waiting.get());
  ASSERT_TRUE(b->reaches(a.journal().applied().place));
  ASSERT_TRUE(a.reaches(b->journal().applied().place));
  EXPECT_EQ(a.table(), b->table());
  EXPECT_EQ(a.journal().applied(), b->journal().applied());
}

TEST_F(R_CLUSTER_4_Log, OneOfTwoNodesWinsEachRace) {
  const auto a = node("a");
  const auto b = node("b");
  for (int round = 0; round < 50; ++round) {
    const std::string key = "owner/" + std::to_string(round);
    const auto claim = [&](const std::string& owner) {
      return Proposal{.records = {}, .documents = {{key, owner}}, .guards = {{key, ""}}};
    };
    auto first = a->append(claim("a"));
    auto second = b->append(claim("b"));
    const AppendResult of_a = first.get();
    const AppendResult of_b = second.get();
    ASSERT_NE(of_a.has_value(), of_b.has_value());
    EXPECT_EQ((of_a ? of_b : of_a).error().kind, ErrorKind::kOvertaken);
    const Document stored{key, of_a ? "a" : "b"};
    EXPECT_THAT((of_a ? a : b)->documents(), Contains(stored));
  }
}

TEST_F(NatsLogTest, AnAppendLargerThanAMessageIsStoredWhole) {
  const auto a = node("a");
  const auto b = node("b");
  const std::string large(3 << 20, 'x');
  const auto answer = a->append("s", large).get();
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_TRUE(b->append("s", "after").get());
  ASSERT_TRUE(a->reaches(b->journal().applied().place));
  EXPECT_THAT(b->table(), SizeIs(2));
  EXPECT_EQ(a->table(), b->table());
}

TEST_F(R_CLUSTER_2_Log, LargeAppendsSurviveAKilledServer) {
  const auto a = node("a");
  const auto b = node("b");
  const std::string large(2 << 20, 'x');
  std::vector<TestNode::Answer> answers;
  for (int i = 0; i < 10; ++i) {
    answers.push_back(a->append("s", std::to_string(i) + large));
    answers.push_back(b->append("s", "small"));
  }
  server_.kill();
  server_.start();
  for (TestNode::Answer& answer : answers)
    ASSERT_TRUE(answer.get());
  const std::uint64_t last = std::max(a->journal().applied().place, b->journal().applied().place);
  ASSERT_TRUE(a->reaches(last));
  ASSERT_TRUE(b->reaches(last));
  EXPECT_THAT(a->table(), SizeIs(20));
  EXPECT_EQ(a->table(), b->table());
  EXPECT_EQ(a->journal().applied(), b->journal().applied());
}

TEST_F(NatsLogTest, AnAppendBeyondTheLimitOfTheLogIsRefused) {
  const auto a = node("a");
  Proposal proposal{.records = {}, .documents = {{"k", std::string(23 << 20, 'x')}}, .guards = {}};
  const AppendResult answer = a->append(std::move(proposal)).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kBodyTooLarge);
}

TEST_F(R_CLUSTER_6_Log, ANodeThatReturnsCatchesUp) {
  const auto a = node("a");
  auto b = node("b", sqlite("b"));
  ASSERT_TRUE(b->append("s", "before").get());
  b.reset();
  std::vector<TestNode::Answer> answers;
  for (int i = 0; i < 3000; ++i)
    answers.push_back(a->append("s" + std::to_string(i % 7), std::to_string(i)));
  for (TestNode::Answer& answer : answers)
    ASSERT_TRUE(answer.get());
  b = node("b", sqlite("b"));
  ASSERT_TRUE(b->reaches(a->journal().applied().place));
  EXPECT_GT(b->log().state().refilled, 0);
  EXPECT_EQ(a->table(), b->table());
  EXPECT_EQ(a->journal().applied(), b->journal().applied());
}

TEST_F(R_CLUSTER_6_Log, AnEmptyNodeReadsTheWholeLog) {
  const auto a = node("a");
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(a->append("s", std::string(20'000, 'x')).get());
  const auto b = node("b");
  ASSERT_TRUE(b->reaches(a->journal().applied().place));
  EXPECT_EQ(a->table(), b->table());
}

TEST_F(R_CLUSTER_6_Log, APurgeOfWhatANodeNeedsIsNoticed) {
  const auto a = node("a");
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(a->append("s", "x").get());
  ASSERT_TRUE(a->connection().request("$JS.API.STREAM.PURGE.ORIEL_LOG", "", 10s));
  const auto b = node("b");
  ASSERT_TRUE(happens([&] { return b->log().state().needs_snapshot; }));
  ASSERT_TRUE(happens([&] { return b->journal().problem().has_value(); }));
  EXPECT_THAT(*b->journal().problem(), HasSubstr("snapshot"));
  EXPECT_FALSE(b->append("s", "x").get());
  EXPECT_TRUE(a->append("s", "y").get());
}

TEST_F(R_CLUSTER_7_Log, GarbageOnTheSubjectsHarmsNobody) {
  const auto a = node("a");
  const auto b = node("b", sqlite("b"));
  NatsConnection foreign(server_.options(), 10s);
  Load load({a.get(), b.get()});
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string text(random() % 300, ' ');
    for (char& c : text)
      c = static_cast<char>(random());
    ASSERT_TRUE(foreign.request("oriel.log.x", text, 10s));
    foreign.publish("oriel.live.x", text);
  }
  ASSERT_TRUE(load.goes_on(100));
  load.finish();
  expect_exact({a.get(), b.get()}, load);
  EXPECT_FALSE(a->journal().problem());
}

TEST_F(R_CLUSTER_7_Log, ANodeStopsAtAnEntryOfANewerFormat) {
  const auto a = node("a");
  ASSERT_TRUE(a->append("s", "before").get());
  std::string newer = encode_entry("later.1", 1, encode_proposals({})).at(0);
  newer[3] = static_cast<char>(kEntryFormat + 1);
  ASSERT_TRUE(a->connection().request("oriel.log.later", newer, 10s));
  ASSERT_TRUE(happens([&] { return a->journal().problem().has_value(); }));
  EXPECT_THAT(*a->journal().problem(), HasSubstr("upgrade"));
  EXPECT_FALSE(a->append("s", "after").get());
  EXPECT_EQ(a->journal().applied().place, 1);
}

// docs/cluster-log.md names them.
TEST(NatsLogPermissions, AUserNeedsOnlyTheSubjectsOfOriel) {
  const NatsServer server(
      R"(authorization { users: [ { user: oriel, password: secret, permissions: {
    publish: ["oriel.>", "$JS.API.STREAM.>", "_INBOX.>"], subscribe: ["oriel.>", "_INBOX.>"] } } ] }
)");
  const NatsOptions options{.servers = {server.url("oriel:secret")}};
  NatsConnection connection(options, 10s);
  const auto made = open_log_stream(connection, {.new_log = "test"}, 10s);
  ASSERT_TRUE(made) << made.error().message;
  TestNode a(options, "a", make_large_memory_engine());
  ASSERT_TRUE(a.append("s", "x").get());
  TestNode late(options, "late", make_large_memory_engine());
  EXPECT_TRUE(late.reaches(1));
}

TEST_F(R_CLUSTER_7_Log, AppendsFailWhileTheServerIsAwayAndWorkAfterwards) {
  const auto a = node("a", nullptr, 200ms);
  ASSERT_TRUE(a->append("s", "before").get());
  server_.kill();
  ASSERT_TRUE(happens([&] { return a->journal().refusal().has_value(); }));
  const AppendResult refused = a->append("s", "meanwhile").get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kJournalFailed);
  EXPECT_THAT(a->table(), SizeIs(1));
  server_.start();
  ASSERT_TRUE(happens([&] { return !a->journal().refusal().has_value(); }));
  EXPECT_TRUE(a->append("s", "after").get());
  EXPECT_THAT(a->table(), SizeIs(2));
}

TEST_F(R_CLUSTER_7_Log, ADeletedStreamIsAProblem) {
  const auto a = node("a", nullptr, 200ms);
  ASSERT_TRUE(a->append("s", "before").get());
  ASSERT_TRUE(a->connection().request("$JS.API.STREAM.DELETE.ORIEL_LOG", "", 10s));
  auto lost = a->append("s", "lost");
  ASSERT_TRUE(happens([&] { return a->journal().problem().has_value(); }));
  EXPECT_THAT(*a->journal().problem(), HasSubstr("log"));
}

TEST_F(R_CLUSTER_7_Log, StoppingAnswersWhatCannotBeStored) {
  const auto a = node("a");
  server_.kill();
  auto answer = a->append("s", "x");
  a->journal().stop();
  const AppendResult result = answer.get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kStopping);
}

TEST_F(NatsLogTest, StoppingStoresWhatIsUnderWay) {
  const auto a = node("a");
  const auto b = node("b");
  std::vector<TestNode::Answer> answers;
  for (int i = 0; i < 500; ++i)
    answers.push_back(a->append("s", std::to_string(i)));
  ASSERT_TRUE(answers[0].get());
  a->journal().stop();
  std::size_t stored = 1;
  for (std::size_t i = 1; i < answers.size(); ++i)
    stored += answers[i].get().has_value() ? 1 : 0;
  ASSERT_TRUE(b->reaches(a->journal().applied().place));
  EXPECT_THAT(b->table(), SizeIs(stored));
}

TEST_F(NatsLogTest, WhatADiskDidNotTakeIsStoredLaterAndOnce) {
  auto engine = std::make_unique<TestEngine>();
  TestEngine& disk = *engine;
  const auto a = node("a", std::move(engine));
  const auto b = node("b");
  disk.fails = true;
  auto answer = a->append("s", "x");
  ASSERT_TRUE(happens([&] { return a->journal().counts().failures >= 2; }));
  const AppendResult refused = a->append("s", "refused").get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kJournalFailed);
  ASSERT_TRUE(b->append("s", "y").get());
  disk.fails = false;
  ASSERT_TRUE(answer.get());
  ASSERT_TRUE(a->reaches(b->journal().applied().place));
  EXPECT_EQ(a->table(), b->table());
  EXPECT_THAT(a->table(), SizeIs(2));
}

// A log without a journal, whose entries the test judges.
class BareLogTest : public NatsLogTest {
 protected:
  // The error of the append, or "" once it has been stored; none: it was not answered.
  void offer(NatsLog& log, const std::string& key) {
    Proposal proposal{.records = {}, .documents = {{key, "x"}}, .guards = {}};
    AppendHandler handler{.complete = [this](const AppendResult& result) {
      answers_.push_back(result ? "" : result.error().message);
    }};
    ASSERT_TRUE(log.offer(proposal, handler));
  }

  static Entry take_one(NatsLog& log) {
    std::vector<Entry> entries;
    while (entries.empty())
      entries = log.take(std::chrono::steady_clock::now() + 1s).value();
    EXPECT_THAT(entries, SizeIs(1));
    return entries.at(0);
  }

  NatsConnection connection_{server_.options(), 10s};
  std::vector<std::string> answers_;
};

TEST_F(BareLogTest, AnAuthorThatWasForgottenWritesAsANewOne) {
  NatsLog log(connection_, {.life = "a.1", .applied = {}});
  offer(log, "one");
  const Entry first = take_one(log);
  EXPECT_EQ(first.author, "a.1");
  for (const AppendHandler& handler : log.handlers_of(first))
    handler(std::vector<RecordPtr>());
  offer(log, "two");
  const Entry second = take_one(log);
  log.passed_over(second);
  EXPECT_THAT(answers_, testing::ElementsAre("", HasSubstr("not stored")));
  offer(log, "three");
  const Entry third = take_one(log);
  EXPECT_NE(third.author, "a.1");
  EXPECT_THAT(third.author, testing::StartsWith("a."));
  EXPECT_EQ(third.number, 1);
  EXPECT_THAT(log.handlers_of(third), SizeIs(1));
}

TEST_F(BareLogTest, AnAuthorThatIsSilentWritesAnEmptyEntryInTime) {
  NatsLog silent(connection_, {.life = "a.1", .applied = {}, .max_silence = 10});
  offer(silent, "one");
  EXPECT_EQ(take_one(silent).number, 1);
  for (std::uint64_t number = 1; number <= 10; ++number) {
    ASSERT_TRUE(connection_.request("oriel.log.b",
                                    encode_entry("b.1", number, encode_proposals({})).at(0), 10s));
    EXPECT_EQ(take_one(silent).author, "b.1");
  }
  const Entry entry = take_one(silent);
  EXPECT_EQ(entry.author, "a.1");
  EXPECT_EQ(entry.number, 2);
  EXPECT_TRUE(entry.proposals.empty());
}

class R_CLUSTER_7_LateServer : public NatsLogTest {
 protected:
  R_CLUSTER_7_LateServer() : NatsLogTest({.is_started = false}) {}
};

TEST_F(R_CLUSTER_7_LateServer, AppendsWaitForAServerThatStartsLater) {
  const auto a = node("a");
  auto answer = a->append("s", "x");
  EXPECT_EQ(answer.wait_for(300ms), std::future_status::timeout);
  server_.start();
  make_stream();
  EXPECT_TRUE(answer.get());
}

}  // namespace
}  // namespace oriel
