#include "base/mutex.h"
#include "hub/hub.h"
#include "journal/memory_engine.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <semaphore>

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience =
    20s;  // for what must happen; never waited for in full unless the test fails

// A journal in memory and a hub on two shards.
class House {
 public:
  explicit House(MemoryEngineOptions memory = {}, HubOptions hub = {})
      : shards_(2),
        journal_(make_memory_engine(memory), {}),
        hub_(shards_, journal_, format(), hub) {
    journal_.start();
    shards_.start();
  }

  ~House() {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      asio::co_spawn(shards_[i].executor(), hub_.on(shards_[i]).joined(), asio::use_future).get();
    }
    journal_.stop();
    shards_.join();
  }

  Shard& shard(std::size_t index) { return shards_[index]; }

  ShardHub& hub(std::size_t index) { return hub_.on(shards_[index]); }

  // Runs on a shard and waits for it.
  void on_shard(std::size_t index, std::function<void()> work) {
    asio::co_spawn(shards_[index].executor(), call(std::move(work)), asio::use_future).get();
  }

  asio::awaitable<void> publish(std::string type, std::string session, std::string text) {
    SessionEvent event;
    event.type = std::move(type);
    event.session_id = std::move(session);
    event.text = std::move(text);
    std::vector<SessionEvent> events{event};
    const auto placed = co_await journal_.append(std::move(events));
    EXPECT_TRUE(placed.has_value());
  }

  void publish_now(std::string type, std::string session = "", std::string text = "") {
    auto published = publish(std::move(type), std::move(session), std::move(text));
    asio::co_spawn(shards_[0].executor(), std::move(published), asio::use_future).get();
  }

 private:
  static FrameFormat format() {
    return {.record = [](const Record& record) { return record.type + " " + record.body; },
            .gap = [](const Gap& gap) { return "gap " + std::to_string(gap.missed); }};
  }

  static asio::awaitable<void> call(std::function<void()> work) {
    work();
    co_return;
  }

  Shards shards_;
  Journal journal_;
  Hub hub_;
};

// Reads a subscription as a fast client does, or not at all while paused. Of each delivery it takes
// up to `live_frames` straight.
class Reader : public LiveReader {
 public:
  Reader(House& house, std::size_t shard, SubscribeOptions options, std::size_t live_frames = 0)
      : house_(house), shard_(shard), live_frames_(live_frames) {
    if (live_frames_ > 0) options.live_reader = this;
    house_.on_shard(shard_, [&] {
      subscription_ = house_.hub(shard_).subscribe(options, [this] { take(); });
      take();
    });
  }

  ~Reader() override {
    house_.on_shard(shard_, [&] { house_.hub(shard_).unsubscribe(*subscription_); });
  }

  std::vector<Sequence> wait_for(std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    const MutexLock lock(mutex_);
    while (sequences_.size() < count && changed_.wait_until(mutex_, deadline)) {
    }
    return sequences_;
  }

  void wait_for_state(SubscriptionState state) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    const MutexLock lock(mutex_);
    while (state_ != state && changed_.wait_until(mutex_, deadline)) {
    }
    EXPECT_EQ(state_, state);
  }

  std::vector<std::string> gaps() {
    const MutexLock lock(mutex_);
    return gaps_;
  }

  std::size_t taken_live() const { return taken_live_; }

  void pause() { is_paused_ = true; }

  void resume() {
    is_paused_ = false;
    house_.on_shard(shard_, [this] { take(); });
  }

 private:
  std::size_t take_live(const FrameBatch& batch) override {
    EXPECT_EQ(subscription_->queued_bytes(), 0U);
    const std::size_t count = is_paused_ ? 0 : std::min(live_frames_, batch.frames.size());
    const auto end = batch.frames.begin() + static_cast<std::ptrdiff_t>(count);
    remember({batch.frames.begin(), end});
    taken_live_ += count;
    return count;
  }

  void take() {
    std::vector<FramePtr> frames;
    if (subscription_ && !is_paused_) subscription_->take(frames, 7, 1 << 20);
    while (!frames.empty()) {
      std::vector<FramePtr> more;
      subscription_->take(more, 7, 1 << 20);
      remember(frames);
      frames = std::move(more);
    }
    remember({});
  }

  void remember(const std::vector<FramePtr>& frames) {
    const MutexLock lock(mutex_);
    for (const FramePtr& frame : frames) {
      if (frame->record) {
        sequences_.push_back(frame->record->sequence);
      } else {
        gaps_.push_back(frame->bytes);
      }
    }
    if (subscription_) state_ = subscription_->state();
    changed_.notify_all();
  }

  House& house_;
  std::size_t shard_;
  std::size_t live_frames_;
  std::atomic<std::size_t> taken_live_{0};
  std::shared_ptr<Subscription> subscription_;
  std::atomic<bool> is_paused_{false};
  Mutex mutex_;  // the shard collects, the test's thread reads
  ConditionVariable changed_;
  std::vector<Sequence> sequences_ GUARDED_BY(mutex_);
  std::vector<std::string> gaps_ GUARDED_BY(mutex_);
  SubscriptionState state_ GUARDED_BY(mutex_) = SubscriptionState::kReplaying;
};

std::vector<Sequence> range(Sequence first, Sequence last) {
  std::vector<Sequence> all;
  for (Sequence next = first; next <= last; ++next)
    all.push_back(next);
  return all;
}

asio::awaitable<void> publish_many(House& house, int count) {
  for (int i = 0; i < count; ++i)
    co_await house.publish("tick", "", std::to_string(i));
}

TEST(R_SSE_2, SequencesRiseForEveryReaderWhateverShardPublishes) {
  House house({.max_bytes = 64 << 20});
  Reader first(house, 0, {});
  Reader second(house, 1, {});
  Reader live(house, 0, {}, 1000);
  Reader live_and_queued(house, 1, {}, 2);
  constexpr int kPublishers = 8;
  constexpr int kEach = 250;
  std::vector<std::future<void>> published;
  for (int i = 0; i < kPublishers; ++i) {
    published.push_back(asio::co_spawn(house.shard(i % 2).executor(), publish_many(house, kEach),
                                       asio::use_future));
  }
  for (auto& one : published)
    one.get();
  EXPECT_EQ(first.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(second.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.taken_live(), static_cast<std::size_t>(kPublishers * kEach));
  EXPECT_EQ(live_and_queued.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
}

TEST(R_SSE_10, ReplayJoinsLiveWithoutASeamWhileOthersPublish) {
  House house({.max_bytes = 64 << 20}, {.max_page_bytes = 2000});
  for (int i = 0; i < 100; ++i)
    house.publish_now("old");
  constexpr int kMore = 400;
  auto publishing =
      asio::co_spawn(house.shard(1).executor(), publish_many(house, kMore), asio::use_future);
  std::vector<std::unique_ptr<Reader>> readers;
  for (Sequence after = 0; after < 100; after += 7) {
    readers.push_back(std::make_unique<Reader>(
        house, after % 2, SubscribeOptions{.filter = {}, .after = after}, after % 3));
  }
  publishing.get();
  Sequence after = 0;
  for (auto& reader : readers) {
    EXPECT_EQ(reader->wait_for(100 + kMore - after), range(after + 1, 100 + kMore));
    after += 7;
  }
}

TEST(R_SSE_10, WhatIsNoLongerHeldIsAnnouncedBeforeTheRest) {
  House house({.max_bytes = 1 << 20, .max_events_per_session = 10});
  for (int i = 0; i < 30; ++i)
    house.publish_now("tick", "ses_a");
  Reader reader(house, 0, {.filter = {}, .after = 5});
  EXPECT_EQ(reader.wait_for(10), range(21, 30));
  EXPECT_EQ(reader.gaps(), std::vector<std::string>{"gap 15"});
}

TEST(R_SSE_4, AReaderThatDoesNotTakeIsEndedAtItsLimitAndHarmsNobody) {
  House house({.max_bytes = 64 << 20});
  Reader slow(house, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  Reader fast(house, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  slow.pause();
  for (int i = 0; i < 200; ++i)
    house.publish_now("tick");
  EXPECT_EQ(fast.wait_for(200), range(1, 200));
  slow.wait_for_state(SubscriptionState::kOverflowed);
  EXPECT_EQ(house.hub(0).counts().overflows, 1U);
}

TEST(R_SSE_4, ALiveReaderThatIsBusyFindsEverythingInItsQueue) {
  House house({.max_bytes = 64 << 20});
  Reader reader(house, 0, {}, 1000);
  house.publish_now("tick");
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
  reader.pause();
  for (int i = 0; i < 20; ++i)
    house.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(21), range(1, 21));
}

TEST(R_SSE_4, AShardWithTooMuchToDoKeepsPublishersWaitingButNotTheirShard) {
  House house({.max_bytes = 64 << 20}, {.max_inbox_bytes = 1000});
  Reader reader(house, 1, {});
  std::binary_semaphore goes_on(0);
  asio::post(house.shard(1).executor(), [&] { goes_on.acquire(); });
  constexpr int kCount = 100;
  auto published =
      asio::co_spawn(house.shard(0).executor(), publish_many(house, kCount), asio::use_future);

  auto heard = asio::post(house.shard(0).executor(), asio::use_future([] { return true; }));
  EXPECT_EQ(heard.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(published.wait_for(0s), std::future_status::timeout);
  goes_on.release();
  EXPECT_EQ(reader.wait_for(kCount), range(1, kCount));
  published.get();
}

TEST(R_SSE_4, AnEventLargerThanTheQueueStillReachesAnEmptyOne) {
  House house({.max_bytes = 64 << 20});
  Reader reader(house, 0, {.filter = {}, .after = 0, .max_queued_bytes = 1000});
  house.publish_now("huge", "", std::string(100'000, 'x'));
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
}

TEST(R_SSE_10, AReplayWaitsForASlowReaderInsteadOfOverflowing) {
  House house({.max_bytes = 64 << 20}, {.max_page_bytes = 1000});
  for (int i = 0; i < 300; ++i)
    house.publish_now("tick");
  Reader reader(house, 1, {.filter = {}, .after = 1, .max_queued_bytes = 4000});
  reader.pause();
  for (int i = 0; i < 100; ++i)
    house.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(399), range(2, 400));
}

TEST(R_SSE_8, OnlyWhatMatchesIsQueuedFromTheJournalAndLive) {
  House house;
  house.publish_now("a");
  house.publish_now("b");
  Reader reader(house, 0, {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 0});
  house.publish_now("a");
  house.publish_now("b");
  Reader live(house, 0, {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 2},
              1000);
  house.publish_now("a");
  house.publish_now("b");
  EXPECT_EQ(reader.wait_for(3), (std::vector<Sequence>{2, 4, 6}));
  EXPECT_EQ(live.wait_for(2), (std::vector<Sequence>{4, 6}));
}

asio::awaitable<std::size_t> told_by_the_time_it_is_placed(House& house, Reader& reader) {
  co_await house.publish("tick", "", "");
  co_return reader.taken_live();
}

TEST(ShardHub, ReadersOnTheAppendersShardAreServedBeforeTheAppenderGoesOn) {
  House house;
  Reader reader(house, 0, {}, 1);
  auto told = asio::co_spawn(house.shard(0).executor(),
                             told_by_the_time_it_is_placed(house, reader), asio::use_future);
  EXPECT_EQ(told.get(), 1U);
}

TEST(ShardHub, ACursorAheadOfItsShardGetsNothingTwice) {
  House house;
  house.publish_now("a");
  house.publish_now("a");
  Reader reader(house, 1, {.filter = {}, .after = 2});
  house.publish_now("a");
  EXPECT_EQ(reader.wait_for(1), range(3, 3));
}

}  // namespace
}  // namespace oriel
