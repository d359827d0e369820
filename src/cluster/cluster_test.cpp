// Nodes in one process, each with a SQLite journal, over a real nats-server.

#include "cluster/cluster.h"

#include "base/event/event_view_testing.h"
#include "base/temp_directory_testing.h"
#include "cluster/cutting_proxy_testing.h"
#include "cluster/nats_server_testing.h"
#include "cluster/start/refound.h"
#include "journal/engine_testing.h"
#include "runtime/shards.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <future>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ClusterOptions cluster_options(const std::string& url, const std::string& node) {
  return {.servers = {url}, .node = node, .node_timeout = 3s};
}

// An engine on a disk that is full on demand.
class StuckEngine final : public JournalEngine {
 public:
  StuckEngine(std::unique_ptr<JournalEngine> engine, const std::atomic<bool>& is_full)
      : engine_(std::move(engine)), is_full_(is_full) {}

  const std::string& epoch() const override { return engine_->epoch(); }

  Sequence head() const override { return engine_->head(); }

  Sequence oldest() const override { return engine_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const override {
    return engine_->missed_after(sequence);
  }

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    if (is_full_) throw std::runtime_error("disk full");
    engine_->commit(records, documents);
  }

  std::string document(const std::string& key) override { return engine_->document(key); }

  Page read(const ReadQuery& query) override { return engine_->read(query); }

  SessionPage read_session(const SessionQuery& query) override {
    return engine_->read_session(query);
  }

  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) override {
    return engine_->visit_documents(query, visit);
  }

  bool apply_retention(WallTime now) override { return engine_->apply_retention(now); }

  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override {
    return engine_->remove_aged(now, max_records);
  }

  void copy_to(const std::filesystem::path& file) override { engine_->copy_to(file); }

 private:
  std::unique_ptr<JournalEngine> engine_;
  const std::atomic<bool>& is_full_;
};

// A node that can be started, stopped and started again with what it has on its disk.
class ClusterNode {
 public:
  ClusterNode(std::string url, std::string name) : url_(std::move(url)), name_(std::move(name)) {}

  ~ClusterNode() { stop(); }

  ClusterNode(const ClusterNode&) = delete;
  ClusterNode& operator=(const ClusterNode&) = delete;

  // Connects. The rest of the start may be on another thread.
  void make() { cluster_ = std::make_unique<Cluster>(cluster_options(url_, name_)); }

  // Throws as Cluster does. Then it is not started.
  void start() {
    if (!cluster_) make();
    PreparedJournal prepared;
    try {
      prepared = cluster_->prepare({.file = file()}, stop_source_.get_token());
    } catch (const std::runtime_error&) {
      cluster_.reset();
      throw;
    }
    step_ = prepared.step;
    auto engine = std::make_unique<StuckEngine>(std::move(prepared.engine), is_disk_full);
    journal_ =
        std::make_unique<Journal>(std::move(engine), JournalOptions{}, std::move(prepared.log));
    cluster_->peers().serve("append", [this](std::string text) { return handle_append(text); });
    cluster_->peers().on_lost([this](const Node& node) {
      const MutexLock lock(mutex_);
      lost_.push_back(node.name);
    });
    journal_->start();
    shards_ = std::make_unique<Shards>(1);
    shards_->start();
    auto begin = [this] { cluster_->start(executor(), *journal_); };
    asio::post(executor(), asio::use_future(begin)).get();
  }

  void stop() {
    if (!journal_) return;
    asio::co_spawn(executor(), cluster_->stop(), asio::use_future).get();
    journal_->stop();
    shards_->join();
    journal_.reset();
    cluster_.reset();
    shards_.reset();
  }

  void wipe() {
    stop();
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      std::filesystem::remove_all(entry.path());
  }

  // Starts it, and waits until clients may be served.
  bool serves() {
    if (!journal_) start();
    const bool is_ready = happens([this] { return cluster_->is_ready(); });
    EXPECT_TRUE(is_ready) << name_ << ": " << cluster_->why_not().value_or("");
    return is_ready;
  }

  // False: refused.
  bool append(const std::string& session, const std::string& text,
              std::vector<Document> documents = {}) {
    std::vector<SessionEvent> events{custom_event("message", session, text)};
    auto work = journal_->append(std::move(events), std::move(documents));
    return asio::co_spawn(executor(), std::move(work), asio::use_future).get().has_value();
  }

  bool append_many(const std::string& session, int count) {
    for (int i = 0; i < count; ++i) {
      if (!append(session, std::to_string(i))) return false;
    }
    return true;
  }

  Result<std::string> call(const std::string& node, const std::string& method,
                           const std::string& body) {
    auto work = peers().call(node, method, body, 20s);
    return asio::co_spawn(executor(), std::move(work), asio::use_future).get();
  }

  // All events as they are sent to clients, with sequence and session.
  std::vector<std::string> events() {
    std::vector<std::string> found;
    Sequence after = kNoSequence;
    while (true) {
      const Page page = read({.after = after, .filter = {}});
      for (const RecordPtr& record : page.records) {
        found.push_back(std::to_string(record->sequence) + " " + record->session_id + " " +
                        std::to_string(record->index) + " " + record->body);
      }
      if (page.scanned_until == after) return found;
      after = page.scanned_until;
    }
  }

  std::vector<Document> documents() {
    auto work = journal_->read_documents("");
    return asio::co_spawn(executor(), std::move(work), asio::use_future).get();
  }

  bool reaches(std::uint64_t place) {
    return happens([&] { return journal_->applied().place >= place; });
  }

  std::vector<std::string> lost() {
    const MutexLock lock(mutex_);
    return lost_;
  }

  std::filesystem::path file() const { return directory_ / "journal.db"; }

  Cluster& cluster() { return *cluster_; }

  Peers& peers() { return cluster_->peers(); }

  Journal& journal() { return *journal_; }

  StartStep step() const { return step_; }

  const std::string& name() const { return name_; }

  // While it starts.
  void interrupt() { stop_source_.request_stop(); }

  std::atomic<bool> is_disk_full = false;

 private:
  asio::any_io_executor executor() { return (*shards_)[0].executor(); }

  Page read(ReadQuery query) {
    auto work = journal_->read(std::move(query));
    return asio::co_spawn(executor(), std::move(work), asio::use_future).get();
  }

  asio::awaitable<Result<std::string>> handle_append(std::string text) {
    std::vector<SessionEvent> events{custom_event("message", "called", text)};
    const AppendResult stored = co_await journal_->append(std::move(events));
    if (!stored) co_return stored.error();
    co_return std::to_string((*stored)[0]->sequence);
  }

  const std::string url_;
  const std::string name_;
  TempDirectory directory_;
  std::stop_source stop_source_;
  StartStep step_ = StartStep::kRefuse;
  std::unique_ptr<Shards> shards_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Journal> journal_;

  Mutex mutex_;
  std::vector<std::string> lost_ GUARDED_BY(mutex_);
};

// Events, documents and chain.
void expect_equal(ClusterNode& one, ClusterNode& other) {
  const std::uint64_t place =
      std::max(one.journal().applied().place, other.journal().applied().place);
  ASSERT_TRUE(one.reaches(place) && other.reaches(place));
  EXPECT_EQ(one.journal().applied(), other.journal().applied());
  EXPECT_EQ(one.journal().epoch(), other.journal().epoch());
  EXPECT_EQ(one.events(), other.events()) << one.name() << " and " << other.name();
  EXPECT_EQ(one.documents(), other.documents());
}

std::string failure_of(ClusterNode& node) {
  try {
    node.start();
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return {};
}

bool contains(const std::optional<std::string>& text, const std::string& part) {
  return text && text->find(part) != std::string::npos;
}

// Begins to start a node, which waits for something.
std::future<void> start_waiting(ClusterNode& node, const std::string& reason) {
  node.make();
  auto started = std::async(std::launch::async, [&node] { node.start(); });
  EXPECT_TRUE(happens([&] { return contains(node.cluster().why_not(), reason); }))
      << node.cluster().why_not().value_or("");
  return started;
}

class ClusterTest : public testing::Test {
 protected:
  // A journal as it is without a cluster.
  static std::string fill_alone(const ClusterNode& node, int count) {
    const auto engine = open_sqlite_engine({.file = node.file()});
    commit_many(*engine, static_cast<std::size_t>(count), "alone");
    engine->commit({}, std::vector<Document>{{.key = "session/alone", .value = "{}"}});
    return engine->epoch();
  }

  // Removes what the log holds, as retention does when all of it is old.
  void purge() {
    NatsConnection connection(server_.options(), 10s);
    const auto answer = connection.request("$JS.API.STREAM.PURGE.ORIEL_LOG", "", 10s);
    ASSERT_TRUE(answer);
    ASSERT_THAT(answer->body, HasSubstr("\"success\":true"));
  }

  NatsServer server_;
  ClusterNode a_{server_.url(), "a"};
  ClusterNode b_{server_.url(), "b"};
  ClusterNode c_{server_.url(), "c"};
};

using R_CLUSTER_2_Nodes = ClusterTest;
using R_CLUSTER_3_Nodes = ClusterTest;
using R_CLUSTER_5_ClusterCall = ClusterTest;
using R_CLUSTER_6_Node = ClusterTest;
using R_CLUSTER_7_ClusterNode = ClusterTest;

TEST_F(R_CLUSTER_6_Node, FirstNodeBringsItsEventsAndItsEpoch) {
  const std::string epoch = fill_alone(a_, 20);
  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.step(), StartStep::kFound);
  EXPECT_EQ(a_.journal().epoch(), epoch);
  EXPECT_THAT(a_.events(), SizeIs(20));
  ASSERT_TRUE(a_.append("alone", "together"));
  EXPECT_THAT(a_.events().back(), HasSubstr("21 alone 20 "));
}

TEST_F(ClusterTest, FounderThatIsStartedAgainGoesOn) {
  fill_alone(a_, 3);
  ASSERT_TRUE(a_.serves());
  a_.stop();
  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.step(), StartStep::kGoOn);
  ASSERT_TRUE(a_.append_many("s", 3));
  a_.stop();
  ASSERT_TRUE(a_.serves());
  EXPECT_THAT(a_.events(), SizeIs(6));
}

// It has made the log, and was killed before it wrote so into its journal.
TEST_F(ClusterTest, FounderThatWasInterruptedFoundsAgain) {
  const std::string epoch = fill_alone(a_, 20);
  NatsConnection connection(server_.options(), 10s);
  const auto made = open_log_stream(connection, {.new_log = epoch + "-20"}, 20s);
  ASSERT_TRUE(made);
  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.step(), StartStep::kFound);
}

TEST_F(R_CLUSTER_3_Nodes, NodesThatJoinAreEqualAndFollow) {
  fill_alone(a_, 20);
  ASSERT_TRUE(a_.serves());
  ASSERT_TRUE(a_.append("s", "before", {{.key = "session/s", .value = "1"}}));
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kSnapshot);
  expect_equal(a_, b_);
  EXPECT_TRUE(a_.append_many("s", 100));
  EXPECT_TRUE(b_.append_many("s", 100));
  expect_equal(a_, b_);
  EXPECT_THAT(b_.events(), SizeIs(221));
  EXPECT_TRUE(happens([&] {
    return a_.cluster().status().chain == ChainVerdict::kAgreed &&
           b_.cluster().status().chain == ChainVerdict::kAgreed;
  }));
}

TEST_F(R_CLUSTER_6_Node, TwoNodesThatJoinAtOnceBothGetASnapshot) {
  fill_alone(a_, 2000);
  ASSERT_TRUE(a_.serves());
  auto joined = std::async(std::launch::async, [&] { return b_.serves(); });
  EXPECT_TRUE(c_.serves());
  EXPECT_TRUE(joined.get());
  EXPECT_EQ(b_.step(), StartStep::kSnapshot);
  EXPECT_EQ(c_.step(), StartStep::kSnapshot);
  EXPECT_TRUE(a_.append_many("s", 10));
  expect_equal(a_, b_);
  expect_equal(a_, c_);
}

TEST_F(R_CLUSTER_6_Node, NodeThatComesBackCatchesUp) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  ASSERT_TRUE(b_.append_many("s", 10));
  b_.stop();
  ASSERT_TRUE(a_.append_many("s", 200));
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kGoOn);
  expect_equal(a_, b_);
}

TEST_F(R_CLUSTER_6_Node, NodeThatTheLogHasLeftBehindTakesASnapshot) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  b_.stop();
  ASSERT_TRUE(a_.append_many("s", 50));
  purge();
  ASSERT_TRUE(a_.append_many("s", 5));
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kSnapshot);
  expect_equal(a_, b_);
}

TEST_F(R_CLUSTER_6_Node, WipedNodeRejoins) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  ASSERT_TRUE(b_.append_many("s", 50));
  b_.wipe();
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kSnapshot);
  expect_equal(a_, b_);
  EXPECT_TRUE(b_.append_many("s", 5));
  expect_equal(a_, b_);
}

TEST_F(R_CLUSTER_6_Node, WithoutAnyNodeTheWholeLogIsReplayedUnderTheSameEpoch) {
  ASSERT_TRUE(a_.serves());
  ASSERT_TRUE(a_.append_many("s", 50));
  const std::string epoch = a_.journal().epoch();
  const std::vector<std::string> events = a_.events();
  a_.wipe();
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kReplay);
  EXPECT_EQ(b_.journal().epoch(), epoch);
  EXPECT_EQ(b_.events(), events);
}

TEST_F(ClusterTest, WithoutAnyNodeALogThatBeganWithAJournalIsNotReplayed) {
  fill_alone(a_, 20);
  ASSERT_TRUE(a_.serves());
  ASSERT_TRUE(a_.append_many("s", 5));
  a_.stop();
  auto started = start_waiting(b_, "no other node is there to give a snapshot");
  ASSERT_TRUE(a_.serves());
  started.get();
  ASSERT_TRUE(b_.serves());
  expect_equal(a_, b_);
}

TEST_F(ClusterTest, JournalWithEventsOfItsOwnIsRefusedAndStaysAsItWas) {
  ASSERT_TRUE(a_.serves());
  const std::string epoch = fill_alone(b_, 7);
  EXPECT_THAT(failure_of(b_), HasSubstr("has events of its own"));
  const auto engine = open_sqlite_engine({.file = b_.file()});
  EXPECT_EQ(engine->epoch(), epoch);
  EXPECT_EQ(engine->head(), 7);
}

TEST_F(ClusterTest, JournalOfAnotherClusterIsRefused) {
  ASSERT_TRUE(a_.serves());
  {
    const NatsServer other;
    ClusterNode foreign(other.url(), "b");
    ASSERT_TRUE(foreign.serves());
    ASSERT_TRUE(foreign.append_many("s", 3));
    foreign.stop();
    std::filesystem::copy(foreign.file(), b_.file());
  }
  EXPECT_THAT(failure_of(b_), HasSubstr("belongs to the log"));
}

TEST_F(ClusterTest, SecondNodeWithTheSameNameIsRefused) {
  ASSERT_TRUE(a_.serves());
  ClusterNode twin(server_.url(), "a");
  EXPECT_THAT(failure_of(twin), HasSubstr("another process runs as the node a"));
  EXPECT_TRUE(a_.append_many("s", 5));
}

TEST_F(R_CLUSTER_7_ClusterNode, NodeWithoutAJournalWaitsForNats) {
  server_.kill();
  auto started = start_waiting(a_, "NATS");
  server_.start();
  started.get();
  EXPECT_TRUE(a_.serves());
}

TEST_F(R_CLUSTER_7_ClusterNode, NodeWithAJournalCanBeReadWithoutNatsAndJoinsByItself) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  ASSERT_TRUE(a_.append_many("s", 5));
  ASSERT_TRUE(a_.reaches(b_.journal().applied().place));
  a_.stop();
  ASSERT_TRUE(b_.append_many("s", 70));
  server_.kill();
  a_.start();
  EXPECT_EQ(a_.step(), StartStep::kServe);
  EXPECT_TRUE(a_.cluster().is_detached());
  EXPECT_THAT(a_.events(), SizeIs(5));
  EXPECT_FALSE(a_.append("s", "refused"));
  EXPECT_THAT(a_.journal().problem().value_or(""), HasSubstr("NATS"));
  EXPECT_TRUE(a_.journal().is_behind());
  EXPECT_FALSE(a_.cluster().is_ready());
  server_.start();
  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.journal().problem(), std::nullopt);
  EXPECT_TRUE(a_.append("s", "stored"));
  expect_equal(a_, b_);
  EXPECT_THAT(a_.events(), SizeIs(76));
}

// Its stream has the same name, and must not be applied.
TEST_F(R_CLUSTER_7_ClusterNode, NodeThatStartedWithoutNatsAppliesNothingOfAnotherLog) {
  ASSERT_TRUE(a_.serves());
  ASSERT_TRUE(a_.append_many("s", 5));
  a_.stop();
  server_.wipe();
  a_.start();
  const std::vector<std::string> events = a_.events();
  server_.start();
  ASSERT_TRUE(b_.serves());
  ASSERT_TRUE(b_.append_many("s", 20));
  EXPECT_TRUE(happens([&] { return contains(a_.cluster().why_not(), "belongs to the log"); }));
  EXPECT_FALSE(a_.append("s", "refused"));
  EXPECT_EQ(a_.events(), events);
}

TEST_F(R_CLUSTER_7_ClusterNode, NodeThatStartedWithoutNatsAndNeedsASnapshotAsksForARestart) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  a_.stop();
  ASSERT_TRUE(b_.append_many("s", 20));
  purge();
  ASSERT_TRUE(b_.append_many("s", 3));
  server_.kill();
  a_.start();
  server_.start();
  EXPECT_TRUE(happens([&] { return a_.cluster().needs_restart(); }));
  a_.stop();
  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.step(), StartStep::kSnapshot);
  expect_equal(a_, b_);
}

TEST_F(R_CLUSTER_7_ClusterNode, WrongCredentialsEndTheStart) {
  const NatsServer closed("authorization { user: ann, password: secret }\n");
  ClusterNode stranger(closed.url("ann:wrong"), "a");
  EXPECT_THAT(failure_of(stranger), HasSubstr("refuse the credentials"));
}

TEST_F(ClusterTest, NameThatCannotBeANodeIsRefused) {
  EXPECT_THROW(Cluster(cluster_options(server_.url(), "a.b")), std::runtime_error);
}

// The handler appends on the other node; the caller finds it in its own journal.
TEST_F(R_CLUSTER_5_ClusterCall, CallerReadsWhatItsCallHasStored) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  for (int i = 0; i < 50; ++i) {
    const Result<std::string> sequence = b_.call("a", "append", std::to_string(i));
    ASSERT_TRUE(sequence);
    EXPECT_EQ(std::to_string(b_.journal().head()), *sequence);
  }
  expect_equal(a_, b_);
}

// Its connections and its disk are gone for the others; it is not told.
TEST_F(R_CLUSTER_2_Nodes, NodeThatDiesIsLostAndCanReturn) {
  CuttingProxy way(server_.port());
  ClusterNode d(way.url(), "d");
  ASSERT_TRUE(a_.serves() && b_.serves() && d.serves());
  ASSERT_TRUE(d.append_many("s", 20));
  ASSERT_TRUE(happens([&] { return a_.peers().find("d") && b_.peers().find("d"); }));
  way.silence();
  EXPECT_TRUE(happens([&] { return !a_.lost().empty() && !b_.lost().empty(); }));
  EXPECT_THAT(a_.lost(), testing::ElementsAre("d"));
  EXPECT_FALSE(a_.peers().find("d"));
  EXPECT_THAT(d.lost(), IsEmpty()) << "it hears nobody, itself included";
  d.stop();
  ASSERT_TRUE(a_.append_many("s", 20));
  EXPECT_THAT(a_.events(), SizeIs(40));
  expect_equal(a_, b_);
}

// Each of three nodes is stopped and started while another one appends.
TEST_F(R_CLUSTER_2_Nodes, NodesComeAndGoWhileEventsAreStored) {
  ASSERT_TRUE(a_.serves() && b_.serves() && c_.serves());
  std::atomic<bool> stops = false;
  std::atomic<int> stored = 0;
  std::thread writer([&] {
    while (!stops) {
      if (a_.append("s", "x")) ++stored;
    }
  });
  for (ClusterNode* node : {&b_, &c_}) {
    node->stop();
    EXPECT_TRUE(node->serves());
  }
  b_.wipe();
  EXPECT_TRUE(b_.serves());
  stops = true;
  writer.join();
  EXPECT_THAT(a_.events(), SizeIs(stored.load()));
  expect_equal(a_, b_);
  expect_equal(a_, c_);
}

// By hand: nobody does this.
TEST_F(R_CLUSTER_3_Nodes, JournalThatDiffersIsOutvotedAndReplaced) {
  ASSERT_TRUE(a_.serves() && b_.serves() && c_.serves());
  ASSERT_TRUE(a_.append_many("s", 10));
  expect_equal(a_, c_);
  c_.stop();
  {
    const auto engine = open_sqlite_engine({.file = c_.file(), .is_replica = true});
    Applied wrong = a_.journal().applied();
    ++wrong.chain;
    engine->commit({}, std::vector<Document>{document_of(wrong)});
  }
  // The others go on, so that the start cannot see the difference yet.
  ASSERT_TRUE(a_.append_many("s", 3));
  c_.start();
  EXPECT_TRUE(happens([&] { return c_.cluster().needs_restart() && !c_.cluster().is_ready(); }));
  EXPECT_THAT(c_.cluster().why_not().value_or(""), HasSubstr("differs"));
  EXPECT_TRUE(a_.cluster().is_ready());
  EXPECT_TRUE(happens([&] { return a_.cluster().status().chain == ChainVerdict::kOtherWrong; }));
  c_.stop();
  ASSERT_TRUE(c_.serves());
  EXPECT_EQ(c_.step(), StartStep::kSnapshot);
  expect_equal(a_, c_);
}

// The others do not wait for it, and it goes on when there is space again.
TEST_F(R_CLUSTER_7_ClusterNode, NodeWhoseDiskIsFullStepsOut) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  b_.is_disk_full = true;
  ASSERT_TRUE(a_.append_many("s", 10));
  EXPECT_TRUE(happens([&] { return !b_.cluster().is_ready(); }));
  EXPECT_THAT(b_.cluster().why_not().value_or(""), HasSubstr("check its disk"));
  EXPECT_TRUE(happens([&] { return a_.peers().find("b")->load.is_draining; }));
  EXPECT_TRUE(a_.cluster().is_ready());
  b_.is_disk_full = false;
  EXPECT_TRUE(happens([&] { return b_.cluster().is_ready(); }));
  expect_equal(a_, b_);
}

RefoundOptions refound_options(const NatsServer& server, const ClusterNode& node) {
  return {.nats = server.options(), .node = node.name(), .journal = {.file = node.file()}};
}

TEST_F(R_CLUSTER_7_ClusterNode, LogThatTheServersHaveLostIsFoundedAnewFromAJournal) {
  fill_alone(a_, 3);
  ASSERT_TRUE(a_.serves() && b_.serves() && c_.serves());
  ASSERT_TRUE(b_.append_many("s", 5));
  c_.stop();
  ASSERT_TRUE(a_.append_many("s", 70));
  expect_equal(a_, b_);
  const std::string epoch = a_.journal().epoch();
  const std::vector<std::string> events = a_.events();
  a_.stop();
  b_.stop();
  server_.wipe();
  server_.start();
  const auto founded = refound_log(refound_options(server_, a_));
  ASSERT_TRUE(founded) << founded.error().message;
  EXPECT_EQ(founded->generation, 2);
  EXPECT_EQ(founded->head, 78);

  ASSERT_TRUE(a_.serves());
  EXPECT_EQ(a_.step(), StartStep::kFollow);
  EXPECT_NE(a_.journal().epoch(), epoch) << "clients may have seen more";
  EXPECT_EQ(a_.events(), events);
  ASSERT_TRUE(a_.append_many("s", 3));
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kFollow) << "it had applied the same";
  ASSERT_TRUE(c_.serves());
  EXPECT_EQ(c_.step(), StartStep::kSnapshot) << "it had not";
  EXPECT_TRUE(b_.append_many("s", 70) && c_.append_many("s", 70));
  expect_equal(a_, b_);
  expect_equal(a_, c_);
  EXPECT_THAT(a_.events(), SizeIs(78 + 3 + 140));
  EXPECT_EQ(a_.journal().applied().generation, 2);
  EXPECT_TRUE(std::filesystem::exists(c_.file().string() + ".generation-1"));

  b_.stop();
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kGoOn);
}

TEST_F(R_CLUSTER_7_ClusterNode,
       LogThatIsInOrderIsFoundedAnewOnlyByForceAndNodesThatRunAskForARestart) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  ASSERT_TRUE(a_.append_many("s", 5));
  expect_equal(a_, b_);
  a_.stop();
  RefoundOptions options = refound_options(server_, a_);
  const auto refused = refound_log(options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("in order"));
  options.is_forced = true;
  ASSERT_TRUE(refound_log(options));
  ASSERT_TRUE(a_.serves());
  EXPECT_TRUE(happens([&] { return b_.cluster().needs_restart(); }));
  b_.stop();
  ASSERT_TRUE(b_.serves());
  EXPECT_EQ(b_.step(), StartStep::kFollow);
  expect_equal(a_, b_);
}

TEST_F(R_CLUSTER_7_ClusterNode, JournalThatANodeUsesFoundsNothing) {
  ASSERT_TRUE(a_.serves());
  EXPECT_THROW(refound_log(refound_options(server_, a_)), std::runtime_error);
}

// Meanwhile the log has lost what it needs. A restart helps.
TEST_F(R_CLUSTER_6_Node, NodeThatWasCutOffForTooLongSaysThatItNeedsASnapshot) {
  CuttingProxy way(server_.port());
  ClusterNode d(way.url(), "d");
  ASSERT_TRUE(a_.serves() && d.serves());
  way.silence();
  ASSERT_TRUE(a_.append_many("s", 10));
  purge();
  ASSERT_TRUE(a_.append_many("s", 3));
  way.speak();
  EXPECT_TRUE(happens([&] { return d.cluster().needs_restart() && !d.cluster().is_ready(); }));
  d.stop();
  ASSERT_TRUE(d.serves());
  EXPECT_EQ(d.step(), StartStep::kSnapshot);
  expect_equal(a_, d);
}

TEST_F(ClusterTest, StartCanBeInterrupted) {
  server_.kill();
  auto started = std::async(std::launch::async, [&] { return failure_of(a_); });
  a_.interrupt();
  EXPECT_THAT(started.get(), HasSubstr("interrupted"));
}

TEST_F(ClusterTest, StatusNamesNodesServersAndLog) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  ASSERT_TRUE(b_.append_many("s", 3));
  EXPECT_TRUE(happens([&] {
    const ClusterStatus status = a_.cluster().status();
    return status.nodes.size() == 2 && status.nodes[1].lag == 0 && status.nodes[1].is_serving &&
           status.nodes[1].has_same_chain == true;
  }));
  const ClusterStatus status = a_.cluster().status();
  EXPECT_EQ(status.nodes[0].node.name, "a");
  EXPECT_TRUE(status.nodes[0].is_self);
  EXPECT_EQ(status.log, a_.journal().epoch());
  EXPECT_EQ(status.place, a_.journal().applied().place);
  EXPECT_TRUE(status.is_connected);
  EXPECT_EQ(status.replicas, 1);
  EXPECT_THAT(status.nats_version, testing::StartsWith("2."));
  EXPECT_THAT(status.warnings, IsEmpty());
}

TEST_F(R_CLUSTER_7_ClusterNode, NodeStaysReadyWhileNatsIsGoneAndGoesOn) {
  ASSERT_TRUE(a_.serves() && b_.serves());
  server_.kill();
  EXPECT_TRUE(happens([&] { return !a_.cluster().status().is_connected; }));
  EXPECT_TRUE(a_.cluster().is_ready());
  EXPECT_THAT(a_.events(), IsEmpty()) << "reads work";
  server_.start();
  EXPECT_TRUE(happens([&] { return a_.append("s", "x"); }));
  EXPECT_THAT(a_.lost(), IsEmpty());
  expect_equal(a_, b_);
}

}  // namespace
}  // namespace oriel
