#include "journal/journal.h"

#include "journal/engine_testing.h"
#include "journal/journal_testing.h"
#include "journal/memory_engine.h"
#include "journal/to_record.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <thread>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST_F(JournalTest, ReturnsRecordsWithTheirSequencesAndIndexes) {
  auto first = queue(new_events(1, "a"));
  auto second = queue(new_events(2, "a", "world"));
  journal_.start();
  finish();

  EXPECT_THAT(sequences_of(first.get().value()), ElementsAre(1));
  const std::vector<RecordPtr> records = second.get().value();
  EXPECT_THAT(sequences_of(records), ElementsAre(2, 3));
  EXPECT_THAT(indexes_of(records), ElementsAre(1, 2));
  EXPECT_THAT(records[1]->json(), HasSubstr(R"("text":"world")"));
  EXPECT_EQ(journal_.head(), 3);
}

TEST_F(JournalTest, CommitsQueuedAppendsTogether) {
  for (int i = 0; i < 50; ++i)
    queue(new_events(2, "a"));
  journal_.start();
  finish();
  EXPECT_THAT(engine_->commit_sizes, ElementsAre(100));
  EXPECT_EQ(journal_.counts().commits, 1);
  EXPECT_EQ(journal_.counts().appended, 100);
}

class SmallCommits : public JournalTest {
 protected:
  SmallCommits() : JournalTest({.max_commit_records = 10}) {}
};

TEST_F(SmallCommits, ACommitIsLimitedInRecordsButNeverSplitsAnAppend) {
  for (int i = 0; i < 4; ++i)
    queue(new_events(6, "a"));
  journal_.start();
  finish();
  EXPECT_THAT(engine_->commit_sizes, ElementsAre(12, 12));
}

TEST_F(JournalTest, PublishesCommittedRecordsInOrder) {
  queue(new_events(2, "a"));
  queue(new_events(1, "b"));
  journal_.start();
  finish();
  EXPECT_THAT(sequences_of(published_), ElementsAre(1, 2, 3));
}

TEST_F(JournalTest, ReportsThatAProposalIsStoredBeforeItsRecordsArePublished) {
  std::vector<std::size_t> published;  // records, at each report
  const auto append = [&](std::vector<Guard> guards) {
    Proposal proposal{.records = to_records(new_events(1, "a")), .guards = std::move(guards)};
    proposal.on_stored = [&] {
      EXPECT_EQ(journal_.head(), 1);
      published.push_back(published_.size());
    };
    asio::co_spawn(io_, journal_.append(std::move(proposal)), asio::detached);
    io_.poll();
    io_.restart();
  };
  append({{.key = "owner", .value = "another"}});
  append({});
  journal_.start();
  finish();
  EXPECT_THAT(published, ElementsAre(0U));
  EXPECT_THAT(published_, SizeIs(1));
}

TEST_F(JournalTest, DoesNotReportAsStoredWhatTheEngineFailsToStore) {
  engine_->fails = true;
  bool is_stored = false;
  Proposal proposal{.records = to_records(new_events(1, "a"))};
  proposal.on_stored = [&] { is_stored = true; };
  asio::co_spawn(io_, journal_.append(std::move(proposal)), asio::detached);
  io_.poll();
  io_.restart();
  journal_.start();
  finish();
  EXPECT_FALSE(is_stored);
}

TEST_F(JournalTest, StopCommitsQueuedAppends) {
  auto answer = queue(new_events(1, "a"));
  journal_.start();
  journal_.stop();
  EXPECT_EQ(journal_.head(), 1);
  EXPECT_THAT(published_, SizeIs(1));
  io_.run();
  EXPECT_TRUE(answer.get().has_value());
}

TEST_F(JournalTest, ReportsThatNothingWasStoredWhenTheEngineFails) {
  engine_->fails = true;
  auto answer = queue(new_events(1, "a"));
  journal_.start();
  finish();

  const AppendResult result = answer.get();
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind, ErrorKind::kJournalFailed);
  EXPECT_THAT(result.error().message, HasSubstr("disk full"));
  EXPECT_THAT(published_, SizeIs(0));
  EXPECT_EQ(journal_.counts().failures, 1);
  EXPECT_EQ(journal_.counts().appended, 0);
}

TEST_F(JournalTest, ContinuesAfterAFailure) {
  engine_->fails = true;
  journal_.start();
  auto failed = queue(new_events(1, "a"));
  io_.run();
  io_.restart();
  EXPECT_TRUE(failed.get().has_error());

  engine_->fails = false;
  auto stored = queue(new_events(1, "a"));
  finish();
  EXPECT_THAT(sequences_of(stored.get().value()), ElementsAre(1));
}

class SmallQueue : public JournalTest {
 protected:
  SmallQueue() : JournalTest({.max_queued_bytes = 10'000}) {}
};

TEST_F(SmallQueue, RejectsAppendsThatExceedIt) {
  auto first = queue(new_events(1, "a", std::string(6000, 'x')));
  auto second = queue(new_events(1, "a", std::string(6000, 'x')));
  auto third = queue(new_events(1, "a"));
  journal_.start();
  finish();

  EXPECT_TRUE(first.get().has_value());
  const AppendResult rejected = second.get();
  ASSERT_TRUE(rejected.has_error());
  EXPECT_EQ(rejected.error().kind, ErrorKind::kJournalBusy);
  EXPECT_TRUE(third.get().has_value());
  EXPECT_EQ(journal_.head(), 2);
}

TEST_F(SmallQueue, AcceptsAnyAppendWhenItIsEmpty) {
  auto answer = queue(new_events(1, "a", std::string(60'000, 'x')));
  journal_.start();
  finish();
  EXPECT_TRUE(answer.get().has_value());
}

// A shared log may be unreachable for long.
TEST_F(JournalTest, ACancelledAppenderResumesAtOnceAndItsEventMayStillBeStored) {
  asio::cancellation_signal cancel;
  auto answer = asio::co_spawn(io_, journal_.append(new_events(1, "a")),
                               asio::bind_cancellation_slot(cancel.slot(), asio::use_future));
  io_.poll();
  io_.restart();
  cancel.emit(asio::cancellation_type::terminal);
  io_.poll();
  io_.restart();
  ASSERT_EQ(answer.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(answer.get().error().kind, ErrorKind::kStopping);
  journal_.start();
  finish();
  EXPECT_THAT(published_, SizeIs(1));
}

class JournalOnShards : public testing::Test {
 protected:
  JournalOnShards() { shards_.start(); }

  asio::awaitable<void> append_often(std::string session_id) {
    for (std::size_t i = 0; i < kAppends; ++i) {
      std::vector<SessionEvent> events = new_events(1 + i % 3, session_id);
      const AppendResult result = co_await journal_.append(std::move(events));
      // Records are published before their appender resumes.
      if (result.value().back()->sequence > published_head_) ++resumed_too_early_;
    }
  }

  std::thread::id thread_of_shard() {
    auto own = [] { return std::this_thread::get_id(); };
    return asio::post(shards_[1].executor(), asio::use_future(own)).get();
  }

  asio::awaitable<std::thread::id> thread_after_read() {
    ReadQuery query;
    co_await journal_.read(std::move(query));
    co_return std::this_thread::get_id();
  }

  static constexpr std::size_t kAppends = 200;
  Shards shards_{3};
  Journal journal_{make_memory_engine({.max_bytes = 1 << 30}), {}};
  std::atomic<Sequence> published_head_ = 0;
  std::atomic<int> resumed_too_early_ = 0;
};

TEST_F(JournalOnShards, PublishesEachSequenceOnceAndRisingBeforeTheAppenderResumes) {
  std::vector<Sequence> published;
  const auto listen = [&](const std::vector<RecordPtr>& records) {
    for (const RecordPtr& record : records)
      published.push_back(record->sequence);
    published_head_ = records.back()->sequence;
  };
  journal_.on_commit(listen);
  journal_.start();
  std::vector<std::future<void>> appenders;
  for (std::size_t i = 0; i < 9; ++i) {
    appenders.push_back(asio::co_spawn(shards_[i % 3].executor(),
                                       append_often("s" + std::to_string(i)), asio::use_future));
  }
  for (auto& appender : appenders)
    appender.get();
  journal_.stop();

  std::vector<Sequence> expected(journal_.head());
  std::iota(expected.begin(), expected.end(), Sequence{1});
  EXPECT_EQ(published, expected);
  EXPECT_GE(published.size(), 9 * kAppends);
  EXPECT_EQ(resumed_too_early_, 0);
}

TEST_F(JournalOnShards, PublishesOnOneThreadThatIsNotTheAppenders) {
  std::set<std::thread::id> publishers;
  journal_.on_commit([&](const std::vector<RecordPtr>& records) {
    publishers.insert(std::this_thread::get_id());
    published_head_ = records.back()->sequence;
  });
  journal_.start();
  asio::co_spawn(shards_[1].executor(), append_often("s"), asio::use_future).get();
  journal_.stop();
  EXPECT_THAT(publishers, SizeIs(1));
  EXPECT_THAT(publishers, Not(Contains(thread_of_shard())));
}

TEST_F(JournalOnShards, ResumesTheReaderOnItsShard) {
  auto reader = asio::co_spawn(shards_[1].executor(), thread_after_read(), asio::use_future);
  EXPECT_EQ(reader.get(), thread_of_shard());
}

}  // namespace
}  // namespace oriel
