#pragma once
// One reader's place in the journal, and the frames it has not taken yet. ShardHub moves it from
// replay to live.

#include "core/event_filter.h"
#include "hub/frame.h"
#include "runtime/asio.h"

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

struct SubscribeOptions {
  EventFilter filter;
  Sequence after = kNoSequence;
  std::size_t max_queued_bytes = 1 << 20;
};

// Lives on one shard; made by ShardHub::subscribe, which calls `on_ready` whenever there is
// something to take or the state has become kOverflowed or kFailed. Delivers each sequence at most
// once, rising.
class Subscription {
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

  bool offer(const FramePtr& frame);
  void hold_back(const FramePtr& frame);
  void push(FramePtr frame);
  void push_page(std::vector<FramePtr> frames, Sequence reached);
  void hold();
  bool release();
  void end(SubscriptionState state);

  bool must_pace() const { return !is_ended() && queued_bytes_ > options_.max_queued_bytes / 2; }

  SubscribeOptions options_;
  std::function<void()> on_ready_;
  std::vector<FramePtr> queue_;
  std::size_t taken_ = 0;  // frames at the queue's front that have been taken
  std::size_t queued_bytes_ = 0;
  std::vector<FramePtr> held_;
  std::size_t held_bytes_ = 0;
  Sequence position_;
  asio::steady_timer* pace_ = nullptr;  // wakes the replay that waits for the reader
  SubscriptionState state_ = SubscriptionState::kReplaying;
  std::size_t slot_ = 0;  // where its ShardHub keeps it
};

}  // namespace oriel
