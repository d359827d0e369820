#pragma once
// For tests: a journal in memory with a hub on two shards, and subscribers of any pace.

#include "base/event/event_view_testing.h"
#include "base/mutex.h"
#include "hub/hub.h"
#include "journal/memory_engine.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>

namespace oriel {

constexpr std::chrono::seconds kHubPatience{20};  // reached only if the test fails

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
    std::vector<SessionEvent> events{
        custom_event(std::move(type), std::move(session), std::move(text))};
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
class HubReader : public LiveReader {
 public:
  HubReader(HubFixture& fixture, std::size_t shard, SubscribeOptions options,
            std::size_t live_frames = 0)
      : fixture_(fixture), shard_(shard), live_frames_(live_frames) {
    if (live_frames_ > 0) options.live_reader = this;
    fixture_.on_shard(shard_, [&] {
      subscription_ = fixture_.hub(shard_).subscribe(options, [this] { take(); });
      take();
    });
  }

  ~HubReader() override {
    fixture_.on_shard(shard_, [&] { fixture_.hub(shard_).unsubscribe(*subscription_); });
  }

  std::vector<Sequence> wait_for(std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + kHubPatience;
    const MutexLock lock(mutex_);
    while (sequences_.size() < count && changed_.wait_until(mutex_, deadline)) {
    }
    return sequences_;
  }

  void wait_for_state(SubscriptionState state) {
    const auto deadline = std::chrono::steady_clock::now() + kHubPatience;
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

  // Takes that many frames, also while paused.
  void take_some(std::size_t count) {
    fixture_.on_shard(shard_, [&] {
      std::vector<FramePtr> frames;
      subscription_->take(frames, count, 1 << 20);
      record(frames);
      record_state();
    });
  }

  std::size_t queued_bytes() {
    std::size_t bytes = 0;
    fixture_.on_shard(shard_, [&] { bytes = subscription_->queued_bytes(); });
    return bytes;
  }

  std::size_t count() {
    const MutexLock lock(mutex_);
    return sequences_.size();
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
    record_state();
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
    changed_.notify_all();
  }

  // Records the state after the frames, so that a test that waits for a state also finds the
  // earlier frames.
  void record_state() {
    const MutexLock lock(mutex_);
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

inline std::vector<Sequence> range(Sequence first, Sequence last) {
  std::vector<Sequence> all;
  for (Sequence next = first; next <= last; ++next)
    all.push_back(next);
  return all;
}

}  // namespace oriel
