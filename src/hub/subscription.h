#pragma once
// One reader's place in the journal, and the frames it has not taken yet. ShardHub moves it from
// replay to live.

#include "base/cache_line.h"
#include "base/event_filter.h"
#include "hub/frame.h"
#include "runtime/asio.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace oriel {

enum class SubscriptionState {
  kReplaying,  // reads pages; live frames pass it by, the journal has them
  kHolding,    // reads what may be its last page; live frames wait
  kLive,
  kOverflowed,  // more was queued than its limit: to be disconnected, its reader resumes by cursor
  kFailed,      // the journal could not be read: likewise
  kClosed,      // the reader has gone
};

// A reader that can pass live frames on at once, without a queue. Called on its shard.
class LiveReader {
 public:
  using Memory = std::array<const void*, 3>;

  virtual ~LiveReader() = default;

  // Where take_live() will look first: fetched into the cache while others are served, as nobody
  // has looked there since the last delivery. Asked once.
  virtual Memory touched() const { return {}; }

  // Takes the first of these frames that it can send now, and says how many; the others are queued
  // for it.
  virtual std::size_t take_live(const FrameBatch& batch) = 0;
};

struct SubscribeOptions {
  EventFilter filter;
  Sequence after = kNoSequence;
  std::size_t max_queued_bytes = 1 << 20;
  LiveReader* live_reader = nullptr;  // not owned; asked only while nothing is queued
};

// Lives on one shard; made by ShardHub::subscribe, which calls `on_ready` whenever there is
// something to take or the state has become kOverflowed or kFailed. Delivers each sequence at most
// once, rising.
class alignas(kCacheLine) Subscription {
 public:
  Subscription(SubscribeOptions options, std::function<void()> on_ready);
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  // Moves queued frames, oldest first, to the end of `frames`: no more than `max_frames`, and none
  // once `max_bytes` are reached.
  void take(std::vector<FramePtr>& frames, std::size_t max_frames, std::size_t max_bytes);

  SubscriptionState state() const { return state_; }

  const EventFilter& filter() const { return options_.filter; }

  std::size_t queued_bytes() const { return queued_bytes_; }

  // Everything up to here has been offered to the reader: a cursor that loses nothing once the
  // queue is taken.
  Sequence position() const { return position_; }

 private:
  friend class ShardHub;

  bool is_ended() const { return state_ >= SubscriptionState::kOverflowed; }

  std::size_t pass_live(const FrameBatch& batch);
  bool offer(const FramePtr& frame);
  void hold_back(const FramePtr& frame);
  void push(FramePtr frame);
  void push_page(std::vector<FramePtr> frames, Sequence reached);
  void hold();
  bool release();
  void end(SubscriptionState state);

  bool must_pace() const { return !is_ended() && queued_bytes_ > options_.max_queued_bytes / 2; }

  // What a live delivery touches, in one line of the cache.
  SubscriptionState state_ = SubscriptionState::kReplaying;
  bool wants_all_;
  Sequence position_;
  std::size_t queued_bytes_ = 0;
  LiveReader* live_reader_;
  std::function<void()> on_ready_;

  SubscribeOptions options_;
  std::vector<FramePtr> queue_;
  std::size_t taken_ = 0;  // frames at the queue's front that have been taken
  std::vector<FramePtr> held_;
  std::size_t held_bytes_ = 0;
  asio::steady_timer* pace_ = nullptr;  // wakes the replay that waits for the reader
  std::size_t slot_ = 0;                // where its ShardHub keeps it
};

}  // namespace oriel
