// A journal that applies a log which other nodes apply, too.

#include "base/event/event_view_testing.h"
#include "base/mutex.h"
#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/journal.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/sqlite/sqlite_schema.h"
#include "journal/to_record.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <deque>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReplicaFile : public testing::Test {
 protected:
  std::unique_ptr<JournalEngine> open(bool is_replica) {
    return open_sqlite_engine({.file = file_,
                               .durability = Durability::kProcess,
                               .retention = {},
                               .is_replica = is_replica});
  }

  // Events, and a position in the log.
  std::string fill(JournalEngine& engine, std::uint64_t place) {
    commit_each(engine, {"a", "b"});
    engine.commit({}, std::vector<Document>{document_of({.log = "L", .place = place, .chain = 7})});
    return engine.epoch();
  }

  // As after a power loss: the file is an earlier one, was not closed, and the machine has booted.
  void lose_commits(const std::filesystem::path& earlier) {
    std::filesystem::copy_file(earlier, file_, std::filesystem::copy_options::overwrite_existing);
    SqliteDatabase database(file_, SqliteDatabase::Access::kReadWrite);
    set_meta(database, "unsynced_boot", "an-earlier-boot");
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
  const std::filesystem::path earlier_ = directory_ / "earlier.db";
};

using R_CLUSTER_6_ReplicaFile = ReplicaFile;

TEST_F(R_CLUSTER_6_ReplicaFile, ThatLostCommitsKeepsItsEpochAndAssignsTheirNumbersAgain) {
  { fill(*open(true), 1); }
  std::filesystem::copy_file(file_, earlier_);
  std::string epoch;
  { epoch = fill(*open(true), 2); }
  lose_commits(earlier_);
  const auto engine = open(true);
  EXPECT_EQ(engine->epoch(), epoch);
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a"})), ElementsAre(3));
}

// Its first events were never in a log.
TEST_F(ReplicaFile, WithoutAPositionThatLostCommitsGetsANewEpoch) {
  { commit_each(*open(true), {"a"}); }
  std::filesystem::copy_file(file_, earlier_);
  std::string epoch;
  {
    const auto engine = open(true);
    commit_each(*engine, {"a"});
    epoch = engine->epoch();
  }
  lose_commits(earlier_);
  const auto engine = open(true);
  EXPECT_NE(engine->epoch(), epoch);
  EXPECT_NE(engine->opening_damage(), std::nullopt);
}

TEST_F(ReplicaFile, ThatLeavesItsClusterGetsANewEpochAndHasNoPositionAnyMore) {
  std::string epoch;
  { epoch = fill(*open(true), 9); }
  {
    const auto engine = open(false);
    EXPECT_NE(engine->epoch(), epoch);
    EXPECT_EQ(engine->head(), 2);
    EXPECT_THAT(engine->read_documents(kLogDocuments), IsEmpty());
    epoch = engine->epoch();
  }
  EXPECT_EQ(open(false)->epoch(), epoch) << "once";
}

// It replays the log from its beginning: its cursors must be those of the other nodes.
TEST_F(ReplicaFile, ThatIsNewGetsTheEpochThatItIsGiven) {
  const SqliteEngineOptions options{.file = file_,
                                    .durability = Durability::kProcess,
                                    .retention = {},
                                    .is_replica = true,
                                    .new_epoch = "k7q2mzx4k7q2mzx4"};
  EXPECT_EQ(open_sqlite_engine(options)->epoch(), "k7q2mzx4k7q2mzx4");
  SqliteEngineOptions other = options;
  other.new_epoch = "another";
  EXPECT_EQ(open_sqlite_engine(other)->epoch(), "k7q2mzx4k7q2mzx4");
}

TEST_F(ReplicaFile, GetsTheNextEpochOfItsLog) {
  std::string epoch;
  { epoch = fill(*open(true), 9); }
  const SqliteEngineOptions options{.file = file_,
                                    .durability = Durability::kProcess,
                                    .retention = {},
                                    .is_replica = true,
                                    .next_epoch = "k7q2mzx4k7q2mzx4"};
  EXPECT_EQ(open_sqlite_engine(options)->epoch(), "k7q2mzx4k7q2mzx4");
  const auto engine = open(true);
  EXPECT_EQ(engine->epoch(), "k7q2mzx4k7q2mzx4");
  EXPECT_EQ(engine->head(), 2);
}

// A log with given entries.
class GivenLog final : public EventLog {
 public:
  Result<void> offer(Proposal&, AppendHandler&) override { return Error{}; }

  std::optional<std::vector<Entry>> take(SteadyTime until) override {
    const MutexLock lock(mutex_);
    while (entries_.empty() && !is_stopping_ && wake_.wait_until(mutex_, until)) {
    }
    if (is_stopping_) return std::nullopt;
    std::vector<Entry> taken(entries_.begin(), entries_.end());
    entries_.clear();
    return taken;
  }

  std::vector<AppendHandler> handlers_of(const Entry&) override { return {}; }

  void passed_over(const Entry&) override {}

  bool put_back(std::vector<Entry>&) override { return false; }

  void stop() override {
    {
      const MutexLock lock(mutex_);
      is_stopping_ = true;
    }
    wake_.notify_all();
  }

  // Entries of one author up to this place, each with so many events.
  void give(std::uint64_t until, std::size_t events = 0) {
    {
      const MutexLock lock(mutex_);
      while (last_ < until) {
        ++last_;
        std::vector<SessionEvent> given(events, custom_event("message", "s"));
        entries_.push_back({.place = last_,
                            .author = "a.1",
                            .number = last_,
                            .digest = last_ * 31,
                            .proposals = {{.records = to_records(std::move(given))}}});
      }
    }
    wake_.notify_all();
  }

 private:
  Mutex mutex_;
  ConditionVariable wake_;
  std::deque<Entry> entries_ GUARDED_BY(mutex_);
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
  bool is_stopping_ GUARDED_BY(mutex_) = false;
};

// A journal that applies such a log.
class Replica {
 public:
  Replica() { journal_.start(); }

  // In one batch, or more.
  void apply(std::uint64_t until) {
    log_->give(until);
    while (journal_.applied().place < until)
      std::this_thread::yield();
  }

  // Entries with an event each.
  void publish(std::uint64_t count) { log_->give(journal_.applied().place + count, 1); }

  Journal& journal() { return journal_; }

 private:
  GivenLog* log_ = new GivenLog;
  Journal journal_{make_memory_engine({}), {}, std::unique_ptr<EventLog>(log_)};
};

TEST(ReplicaChain, IsKnownAtItsEndAndAtMarksHoweverEntriesAreGrouped) {
  Replica slow;
  Replica fast;
  fast.apply(200);
  for (std::uint64_t place = 1; place <= 130; ++place)
    slow.apply(place);
  EXPECT_EQ(slow.journal().mark().place, 128);
  EXPECT_EQ(fast.journal().mark().place, 192);
  for (const std::uint64_t mark : {64, 128}) {
    ASSERT_TRUE(slow.journal().chain_at(mark));
    EXPECT_EQ(slow.journal().chain_at(mark), fast.journal().chain_at(mark));
  }
  EXPECT_NE(fast.journal().chain_at(64), fast.journal().chain_at(128));
  EXPECT_EQ(slow.journal().chain_at(130), slow.journal().applied().chain);
  EXPECT_EQ(slow.journal().chain_at(129), std::nullopt);
  EXPECT_EQ(slow.journal().chain_at(192), std::nullopt);
}

TEST(ReplicaChain, IsForgottenAtOldMarks) {
  Replica replica;
  replica.apply(64 * 1100);
  EXPECT_EQ(replica.journal().chain_at(64), std::nullopt);
  EXPECT_TRUE(replica.journal().chain_at(64 * 1000));
}

// A client comes from a node that had the event earlier.
TEST(R_CLUSTER_1_Replica, WaitsForASequenceThatTheLogBrings) {
  Replica replica;
  asio::io_context io;
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  auto in_time = asio::co_spawn(io, replica.journal().holds(3, late), asio::use_future);
  auto too_early = asio::co_spawn(io, replica.journal().holds(1, soon), asio::use_future);
  while (too_early.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    io.run_one();
  EXPECT_FALSE(too_early.get());
  replica.publish(3);
  io.run();
  EXPECT_TRUE(in_time.get());
}

}  // namespace
}  // namespace oriel
