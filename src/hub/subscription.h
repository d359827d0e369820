#pragma once
// A subscriber's position in the journal and its queue of frames. ShardHub moves it from replay to
// live, and back when its queue is full.

#include "base/event/event_filter.h"
#include "hub/frame.h"
#include "runtime/asio.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace oriel {

enum class SubscriptionState {
  kReplaying,  // reads pages of the journal; live frames are ignored, the journal has them
  kJoining,    // reads what may be the last page; live frames are held until it is queued
  kLive,       // until a frame does not fit into the queue: then kReplaying again
  kFailed,     // the journal could not be read; the subscriber disconnects and resumes by cursor
  kClosed,     // unsubscribed
};

// A subscriber that sends live frames without queueing them: with many frames per delivery this
// avoids copying each frame's pointer into and out of each queue. Called on its shard.
class LiveReader {
 public:
  virtual ~LiveReader() = default;

  // Sends the first frames of the batch, as many as possible now, and returns their number. The
  // others are queued.
  virtual std::size_t send_live(const FrameBatch& batch) = 0;
};

struct SubscribeOptions {
  EventFilter filter;
  Sequence after = kNoSequence;
  std::size_t max_queued_bytes = 1 << 20;
  LiveReader* live_reader = nullptr;  // not owned; called only while the queue is empty
};

// Lives on one shard. ShardHub::subscribe creates it and calls `on_ready` when there are frames to
// take, or when the state has become kFailed. Delivers each sequence at most once, rising. However
// slowly frames are taken, the queue stays within its limit and a page of the journal.
class Subscription {
 public:
  Subscription(SubscribeOptions options, std::function<void()> on_ready);
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  // Moves queued frames, oldest first, to the end of `frames`: at most `max_frames`, and no more
  // once they have `max_bytes`.
  void take(std::vector<FramePtr>& frames, std::size_t max_frames, std::size_t max_bytes);

  SubscriptionState state() const { return state_; }

  const EventFilter& filter() const { return options_.filter; }

  std::size_t queued_bytes() const { return queued_bytes_; }

  // Everything up to this sequence has been offered: a cursor that loses nothing once the queue is
  // empty.
  Sequence position() const { return position_; }

 private:
  friend class ShardHub;
  friend class ReplayModel;  // of the tests

  bool is_ended() const { return state_ >= SubscriptionState::kFailed; }

  std::size_t send_live(const FrameBatch& batch);
  bool offer(const FramePtr& frame);
  bool has_space(std::size_t bytes) const;
  void hold(const FramePtr& frame);
  void push(FramePtr frame);
  Sequence begin_page(Sequence head);
  void end_page(std::vector<FramePtr> frames, Sequence scanned_until, Sequence bound);
  void return_to_journal();
  void finish_join();
  void end(SubscriptionState state);

  bool must_pause_replay() const {
    return !is_ended() && queued_bytes_ > options_.max_queued_bytes / 2;
  }

  SubscriptionState state_ = SubscriptionState::kReplaying;
  bool has_filter_;
  Sequence position_;
  std::size_t queued_bytes_ = 0;
  std::function<void()> on_ready_;
  SubscribeOptions options_;
  std::vector<FramePtr> queue_;
  std::size_t taken_ = 0;  // frames at the queue's front that have been taken
  std::vector<FramePtr> held_;
  std::size_t held_bytes_ = 0;
  asio::steady_timer* resume_replay_ = nullptr;  // cancelled when a paused replay may continue
  std::size_t slot_ = 0;                         // its index in ShardHub
};

}  // namespace oriel
