// What the journal does about the state of its storage: problems, losses and retention.

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/journal_testing.h"
#include "journal/sqlite/sqlite_engine.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST_F(JournalTest, AFailedCommitIsAProblemUntilTheNextThatWorks) {
  EXPECT_EQ(journal_.problem(), std::nullopt);
  engine_->is_full = true;
  journal_.start();
  auto failed = queue(new_events(1, "a"));
  io_.run();
  io_.restart();
  EXPECT_TRUE(failed.get().has_error());
  EXPECT_THAT(journal_.problem(), Optional(HasSubstr("disk full")));

  engine_->is_full = false;
  auto stored = queue(new_events(1, "a"));
  finish();
  EXPECT_TRUE(stored.get().has_value());
  EXPECT_EQ(journal_.problem(), std::nullopt);
}

TEST_F(JournalTest, NothingIsStoredAfterALoss) {
  engine_->fails_sync = true;
  journal_.start();
  auto lost = queue(new_events(1, "a"));
  io_.run();
  io_.restart();
  EXPECT_TRUE(lost.get().has_error());

  engine_->fails_sync = false;
  auto later = queue(new_events(1, "a"));
  finish();
  const AppendResult result = later.get();
  ASSERT_TRUE(result.has_error());
  EXPECT_THAT(result.error().message, HasSubstr("the disk did not confirm"));
  EXPECT_THAT(result.error().hint, HasSubstr("restart"));
  EXPECT_THAT(journal_.refusal(), Optional(HasSubstr("the disk did not confirm")));
  EXPECT_EQ(journal_.head(), 0);
}

TEST_F(JournalTest, DamageThatAReadFindsIsAProblemForGood) {
  journal_.start();
  engine_->damaged = 17;
  auto first = asio::co_spawn(io_, journal_.read({}), asio::use_future);
  io_.run();
  io_.restart();
  EXPECT_EQ(first.get().damaged, 17);
  engine_->damaged = kNoSequence;
  auto second = asio::co_spawn(io_, journal_.read({}), asio::use_future);
  io_.run();
  second.get();
  EXPECT_THAT(journal_.problem(), Optional(HasSubstr("event 17")));
}

TEST_F(JournalTest, AnUnreadableStorageIsAProblem) {
  journal_.start();
  engine_->is_unreadable = true;
  auto answer = asio::co_spawn(io_, journal_.read({}), asio::use_future);
  io_.run();
  EXPECT_THROW(answer.get(), StorageDamage);
  EXPECT_THAT(journal_.problem(), Optional(HasSubstr("malformed")));
}

class FrequentRetention : public JournalTest {
 protected:
  FrequentRetention()
      : JournalTest({.retention_interval = std::chrono::milliseconds(1),
                     .clock = [] { return WallTime(std::chrono::milliseconds(42)); }}) {}

  // Twice, because the first may have begun before the test changed something.
  bool is_checked() {
    const auto limit = std::chrono::seconds(30);
    return engine_->checked.try_acquire_for(limit) && engine_->checked.try_acquire_for(limit);
  }

  bool has_retained() { return engine_->retained.try_acquire_for(std::chrono::seconds(30)); }
};

TEST_F(FrequentRetention, IsAppliedRepeatedlyByTheGivenClock) {
  journal_.start();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(has_retained());
  EXPECT_EQ(engine_->retained_at.load(), WallTime(std::chrono::milliseconds(42)));
}

TEST_F(FrequentRetention, ContinuesAfterAFailure) {
  engine_->fails = true;
  journal_.start();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(has_retained());
}

TEST_F(FrequentRetention, NothingIsStoredOnceTheStorageIsLost) {
  engine_->is_deleted = true;
  journal_.start();
  EXPECT_TRUE(is_checked());
  engine_->is_deleted = false;  // put back, perhaps without the latest events
  EXPECT_TRUE(is_checked());

  auto answer = queue(new_events(1, "a"));
  finish();
  const AppendResult result = answer.get();
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind, ErrorKind::kJournalFailed);
  EXPECT_THAT(result.error().message, HasSubstr("journal.db was deleted"));
  EXPECT_THAT(result.error().hint, HasSubstr("restart"));
  EXPECT_THAT(journal_.problem(), Optional(HasSubstr("journal.db was deleted")));
  EXPECT_EQ(journal_.head(), 0);
  EXPECT_EQ(journal_.counts().failures, 1);
}

// A journal of 100 records whose wall clock jumps by 40 days.
class JumpingClock : public testing::Test {
 protected:
  JumpingClock() {
    auto engine = std::make_unique<TestEngine>();
    engine_ = engine.get();
    commit_many(*engine, 100, "a");
    journal_.emplace(std::move(engine),
                     JournalOptions{.retention_interval = std::chrono::milliseconds(1),
                                    .doubtful_percent_per_hour = 6,
                                    .clock = [this] { return wall_.load(); },
                                    .steady_clock = [this] { return steady_.load(); }});
    journal_->start();
  }

  ~JumpingClock() override { journal_->stop(); }

  void jump() {
    wall_ = kStart + kJump;
    has_retained();
  }

  void advance(std::chrono::hours time) {
    steady_ = steady_.load() + time;
    wall_ = wall_.load() + time;
  }

  // Three times: the first may have read the clocks before the test set them, others may be counted
  // already.
  bool has_retained() {
    while (engine_->retained.try_acquire()) {
    }
    for (int i = 0; i < 3; ++i)
      if (!engine_->retained.try_acquire_for(kPatience)) return false;
    return true;
  }

  bool has_removed_aged() { return engine_->aged.try_acquire_for(kPatience); }

  static constexpr WallTime kStart{std::chrono::milliseconds(1'800'000'000'000)};
  static constexpr std::chrono::hours kJump{40 * 24};
  static constexpr std::chrono::seconds kPatience{30};
  std::atomic<WallTime> wall_ = kStart;
  std::atomic<SteadyTime> steady_ = SteadyTime(std::chrono::hours(1));
  TestEngine* engine_ = nullptr;
  std::optional<Journal> journal_;
};

TEST_F(JumpingClock, RemovesNothingForItAtFirst) {
  EXPECT_EQ(journal_->clock_ahead().count(), 0);
  jump();
  EXPECT_EQ(engine_->retained_at.load(), kStart);
  EXPECT_FALSE(engine_->aged.try_acquire());
  EXPECT_EQ(journal_->clock_ahead(), kJump);
}

TEST_F(JumpingClock, RemovesAShareOfTheRecordsPerHour) {
  jump();
  advance(std::chrono::hours(1));
  ASSERT_TRUE(has_removed_aged());
  EXPECT_EQ(engine_->aged_limit.load(), 6);
  EXPECT_TRUE(has_retained());
  EXPECT_EQ(engine_->retained_at.load(), kStart + std::chrono::hours(1));
  EXPECT_FALSE(engine_->aged.try_acquire()) << "no more in this hour";
}

TEST_F(JumpingClock, IsTrustedWhenNothingIsTooOldByIt) {
  jump();
  engine_->young = 1;
  advance(std::chrono::hours(1));
  ASSERT_TRUE(has_removed_aged());
  EXPECT_TRUE(has_retained());
  EXPECT_EQ(engine_->retained_at.load(), kStart + std::chrono::hours(1) + kJump);
  EXPECT_EQ(journal_->clock_ahead().count(), 0);
}

// The listener is the hub: a record that it does not get would be missing from the live streams.
TEST(JournalDeathTest, AListenerThatThrowsEndsTheProcessWithItsReason) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    asio::io_context io(1);
    Journal journal(make_memory_engine({}), {});
    journal.on_commit([](const std::vector<RecordPtr>&) { throw std::bad_alloc(); });
    journal.start();
    auto answer = asio::co_spawn(io, journal.append(new_events(1, "a")), asio::use_future);
    io.run();
  };
  EXPECT_DEATH(run(), "thread journal failed: std::bad_alloc");
}

// Opened again after the clock was set 40 days ahead.
TEST(JournalOfAWrongClock, RemovesNoMoreThanTheDoubtfulShareInTheFirstHour) {
  const TempDirectory directory;
  const std::filesystem::path file = directory / "journal.db";
  const WallTime stored_at{std::chrono::milliseconds(1'800'000'000'000)};
  const Retention week{.max_age = std::chrono::hours(7 * 24), .max_bytes = 0};
  const auto open = [&] {
    return open_sqlite_engine(
        {.file = file, .durability = Durability::kProcess, .retention = week});
  };
  {
    NewRecords records;
    for (int i = 0; i < 1000; ++i) {
      records.push_back(new_record("a"));
      records.back()->time = stored_at;
    }
    open()->commit_records(records);
  }

  std::atomic<SteadyTime> steady = SteadyTime(std::chrono::hours(1));
  std::atomic<int> readings = 0;
  const auto read_steady = [&] {
    ++readings;
    return steady.load();
  };
  Journal journal(open(), {.retention_interval = std::chrono::milliseconds(1),
                           .clock = [&] { return stored_at + std::chrono::hours(40 * 24); },
                           .steady_clock = read_steady});
  journal.start();
  const auto wait_for_retention = [&] {
    for (const int before = readings; readings < before + 3;)
      std::this_thread::yield();
  };
  wait_for_retention();
  EXPECT_EQ(journal.oldest(), 1);
  steady = steady.load() + std::chrono::hours(1);
  wait_for_retention();
  journal.stop();
  EXPECT_EQ(journal.oldest(), 51);
}

}  // namespace
}  // namespace oriel
