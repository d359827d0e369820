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

constexpr auto kPatience = 20s;  // reached only if the test fails

// A journal in memory and a hub on two shards.
class HubFixture {
 public:
  explicit HubFixture(MemoryEngineOptions memory = {}, HubOptions hub = {})
      : shards_(2), journal_(make_memory_engine(memory), {}), hub_(shards_, journal_, hub) {
    journal_.start();
    shards_.start();
  }

  ~HubFixture() {
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
    const auto appended = co_await journal_.append(std::move(events));
    EXPECT_TRUE(appended.has_value());
  }

  void publish_now(std::string type, std::string session = "", std::string text = "") {
    auto published = publish(std::move(type), std::move(session), std::move(text));
    asio::co_spawn(shards_[0].executor(), std::move(published), asio::use_future).get();
  }

 private:
  static asio::awaitable<void> call(std::function<void()> work) {
    work();
    co_return;
  }

  Shards shards_;
  Journal journal_;
  Hub hub_;
};

// Takes everything at once, or nothing while paused. Sends up to `live_frames` of each delivery
// without queueing them.
class Reader : public LiveReader {
 public:
  Reader(HubFixture& fixture, std::size_t shard, SubscribeOptions options,
         std::size_t live_frames = 0)
      : fixture_(fixture), shard_(shard), live_frames_(live_frames) {
    if (live_frames_ > 0) options.live_reader = this;
    fixture_.on_shard(shard_, [&] {
      subscription_ = fixture_.hub(shard_).subscribe(options, [this] { take(); });
      take();
    });
  }

  ~Reader() override {
    fixture_.on_shard(shard_, [&] { fixture_.hub(shard_).unsubscribe(*subscription_); });
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

  // The number of records missed in each gap.
  std::vector<std::uint64_t> gaps() {
    const MutexLock lock(mutex_);
    return gaps_;
  }

  std::size_t sent_live() const { return sent_live_; }

  void pause() { is_paused_ = true; }

  void resume() {
    is_paused_ = false;
    fixture_.on_shard(shard_, [this] { take(); });
  }

 private:
  std::size_t send_live(const FrameBatch& batch) override {
    EXPECT_EQ(subscription_->queued_bytes(), 0U);
    const std::size_t count = is_paused_ ? 0 : std::min(live_frames_, batch.frames().size());
    const auto begin = batch.frames().begin();
    record({begin, begin + static_cast<std::ptrdiff_t>(count)});
    sent_live_ += count;
    return count;
  }

  void take() {
    std::vector<FramePtr> frames;
    if (subscription_ && !is_paused_) subscription_->take(frames, 7, 1 << 20);
    while (!frames.empty()) {
      std::vector<FramePtr> more;
      subscription_->take(more, 7, 1 << 20);
      record(frames);
      frames = std::move(more);
    }
    record({});
  }

  void record(const std::vector<FramePtr>& frames) {
    const MutexLock lock(mutex_);
    for (const FramePtr& frame : frames) {
      if (frame->record) {
        sequences_.push_back(frame->record->sequence);
      } else {
        gaps_.push_back(frame->gap.missed);
      }
    }
    if (subscription_) state_ = subscription_->state();
    changed_.notify_all();
  }

  HubFixture& fixture_;
  std::size_t shard_;
  std::size_t live_frames_;
  std::atomic<std::size_t> sent_live_{0};
  std::shared_ptr<Subscription> subscription_;
  std::atomic<bool> is_paused_{false};
  Mutex mutex_;  // the shard writes what the test's thread reads
  ConditionVariable changed_;
  std::vector<Sequence> sequences_ GUARDED_BY(mutex_);
  std::vector<std::uint64_t> gaps_ GUARDED_BY(mutex_);
  SubscriptionState state_ GUARDED_BY(mutex_) = SubscriptionState::kReplaying;
};

std::vector<Sequence> range(Sequence first, Sequence last) {
  std::vector<Sequence> all;
  for (Sequence next = first; next <= last; ++next)
    all.push_back(next);
  return all;
}

asio::awaitable<void> publish_many(HubFixture& fixture, int count) {
  for (int i = 0; i < count; ++i)
    co_await fixture.publish("tick", "", std::to_string(i));
}

TEST(R_SSE_2, SequencesRiseForEveryReaderWhateverShardPublishes) {
  HubFixture fixture({.max_bytes = 64 << 20});
  Reader first(fixture, 0, {});
  Reader second(fixture, 1, {});
  Reader live(fixture, 0, {}, 1000);
  Reader live_and_queued(fixture, 1, {}, 2);
  constexpr int kPublishers = 8;
  constexpr int kEach = 250;
  std::vector<std::future<void>> published;
  for (int i = 0; i < kPublishers; ++i) {
    published.push_back(asio::co_spawn(fixture.shard(i % 2).executor(),
                                       publish_many(fixture, kEach), asio::use_future));
  }
  for (auto& one : published)
    one.get();
  EXPECT_EQ(first.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(second.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.sent_live(), static_cast<std::size_t>(kPublishers * kEach));
  EXPECT_EQ(live_and_queued.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
}

TEST(R_SSE_10, ReplayJoinsLiveWithoutLossWhileOthersPublish) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_page_bytes = 2000});
  for (int i = 0; i < 100; ++i)
    fixture.publish_now("old");
  constexpr int kMore = 400;
  auto publishing =
      asio::co_spawn(fixture.shard(1).executor(), publish_many(fixture, kMore), asio::use_future);
  std::vector<std::unique_ptr<Reader>> readers;
  for (Sequence after = 0; after < 100; after += 7) {
    readers.push_back(std::make_unique<Reader>(
        fixture, after % 2, SubscribeOptions{.filter = {}, .after = after}, after % 3));
  }
  publishing.get();
  Sequence after = 0;
  for (auto& reader : readers) {
    EXPECT_EQ(reader->wait_for(100 + kMore - after), range(after + 1, 100 + kMore));
    after += 7;
  }
}

TEST(R_SSE_10, RemovedRecordsAreAnnouncedAsAGapBeforeTheOthers) {
  HubFixture fixture({.max_bytes = 1 << 20, .max_events_per_session = 10});
  for (int i = 0; i < 30; ++i)
    fixture.publish_now("tick", "ses_a");
  Reader reader(fixture, 0, {.filter = {}, .after = 5});
  EXPECT_EQ(reader.wait_for(10), range(21, 30));
  EXPECT_EQ(reader.gaps(), std::vector<std::uint64_t>{15});
}

TEST(R_SSE_4, ASlowReaderIsEndedAtItsLimitAndDoesNotAffectOthers) {
  HubFixture fixture({.max_bytes = 64 << 20});
  Reader slow(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  Reader fast(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  slow.pause();
  for (int i = 0; i < 200; ++i)
    fixture.publish_now("tick");
  EXPECT_EQ(fast.wait_for(200), range(1, 200));
  slow.wait_for_state(SubscriptionState::kOverflowed);
  EXPECT_EQ(fixture.hub(0).counts().overflows, 1U);
}

TEST(R_SSE_4, FramesForABusyLiveReaderAreQueued) {
  HubFixture fixture({.max_bytes = 64 << 20});
  Reader reader(fixture, 0, {}, 1000);
  fixture.publish_now("tick");
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
  reader.pause();
  for (int i = 0; i < 20; ++i)
    fixture.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(21), range(1, 21));
}

TEST(R_SSE_4, AFullInboxBlocksPublishersButNotTheirShard) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_inbox_bytes = 1000});
  Reader reader(fixture, 1, {});
  std::binary_semaphore resume(0);
  asio::post(fixture.shard(1).executor(), [&] { resume.acquire(); });
  constexpr int kCount = 100;
  auto published =
      asio::co_spawn(fixture.shard(0).executor(), publish_many(fixture, kCount), asio::use_future);

  auto ran = asio::post(fixture.shard(0).executor(), asio::use_future([] { return true; }));
  EXPECT_EQ(ran.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(published.wait_for(0s), std::future_status::timeout);
  resume.release();
  EXPECT_EQ(reader.wait_for(kCount), range(1, kCount));
  published.get();
}

TEST(R_SSE_4, AnEventLargerThanTheQueueIsAcceptedByAnEmptyQueue) {
  HubFixture fixture({.max_bytes = 64 << 20});
  Reader reader(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 1000});
  fixture.publish_now("huge", "", std::string(100'000, 'x'));
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
}

TEST(R_SSE_10, AReplayWaitsForASlowReaderInsteadOfOverflowing) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_page_bytes = 1000});
  for (int i = 0; i < 300; ++i)
    fixture.publish_now("tick");
  Reader reader(fixture, 1, {.filter = {}, .after = 1, .max_queued_bytes = 4000});
  reader.pause();
  for (int i = 0; i < 100; ++i)
    fixture.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(399), range(2, 400));
}

TEST(R_SSE_8, OnlyMatchingRecordsAreQueuedFromTheJournalAndLive) {
  HubFixture fixture;
  fixture.publish_now("a");
  fixture.publish_now("b");
  Reader reader(fixture, 0,
                {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 0});
  fixture.publish_now("a");
  fixture.publish_now("b");
  Reader live(fixture, 0, {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 2},
              1000);
  fixture.publish_now("a");
  fixture.publish_now("b");
  EXPECT_EQ(reader.wait_for(3), (std::vector<Sequence>{2, 4, 6}));
  EXPECT_EQ(live.wait_for(2), (std::vector<Sequence>{4, 6}));
}

asio::awaitable<std::size_t> sent_before_append_returns(HubFixture& fixture, Reader& reader) {
  co_await fixture.publish("tick", "", "");
  co_return reader.sent_live();
}

TEST(ShardHub, ReadersOnTheAppendersShardAreServedBeforeTheAppenderResumes) {
  HubFixture fixture;
  Reader reader(fixture, 0, {}, 1);
  auto sent = asio::co_spawn(fixture.shard(0).executor(),
                             sent_before_append_returns(fixture, reader), asio::use_future);
  EXPECT_EQ(sent.get(), 1U);
}

TEST(ShardHub, ACursorAheadOfItsShardReceivesNothingTwice) {
  HubFixture fixture;
  fixture.publish_now("a");
  fixture.publish_now("a");
  Reader reader(fixture, 1, {.filter = {}, .after = 2});
  fixture.publish_now("a");
  EXPECT_EQ(reader.wait_for(1), range(3, 3));
}

}  // namespace
}  // namespace oriel
