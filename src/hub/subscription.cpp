#include "hub/subscription.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kKeptCapacity = 64;  // frames; a longer queue is given back once it is taken

std::size_t cost_of(const Frame& frame) {
  return sizeof(Frame) + frame.bytes.size();
}

}  // namespace

Subscription::Subscription(SubscribeOptions options, std::function<void()> on_ready)
    : wants_all_(options.filter.is_open()),
      position_(options.after),
      live_reader_(options.live_reader),
      on_ready_(std::move(on_ready)),
      options_(std::move(options)) {}

void Subscription::take(std::vector<FramePtr>& frames, std::size_t max_frames,
                        std::size_t max_bytes) {
  std::size_t bytes = 0;
  while (taken_ < queue_.size() && max_frames > 0 && bytes < max_bytes) {
    FramePtr& next = queue_[taken_++];
    bytes += next->bytes.size();
    queued_bytes_ -= cost_of(*next);
    frames.push_back(std::move(next));
    --max_frames;
  }
  if (taken_ == queue_.size()) {
    taken_ = 0;
    queue_.clear();
    if (queue_.capacity() > kKeptCapacity) queue_.shrink_to_fit();
  }
  if (pace_ != nullptr && !must_pace()) pace_->cancel();
}

// Hands a reader that has nothing queued what it can send at once. Returns how many frames need not
// be offered any more.
std::size_t Subscription::pass_live(const FrameBatch& batch) {
  const bool is_idle = state_ == SubscriptionState::kLive && queued_bytes_ == 0;
  if (!is_idle || !wants_all_ || live_reader_ == nullptr) return 0;
  if (batch.frames.front()->record->sequence <= position_) return 0;
  const std::size_t taken = live_reader_->take_live(batch);
  if (taken > 0) position_ = batch.frames[taken - 1]->record->sequence;
  return taken;
}

// A live frame. False if the queue is too full to take it.
bool Subscription::offer(const FramePtr& frame) {
  const Sequence sequence = frame->record->sequence;
  if (sequence <= position_ || state_ == SubscriptionState::kReplaying || is_ended()) return true;
  const bool is_wanted = options_.filter.matches(*frame->record);
  if (state_ == SubscriptionState::kHolding) {
    if (is_wanted) hold_back(frame);
    return true;
  }
  // An empty queue takes any frame: one huge event must not end its reader's stream for ever.
  const bool fits =
      queued_bytes_ == 0 || queued_bytes_ + cost_of(*frame) <= options_.max_queued_bytes;
  if (is_wanted && !fits) return false;
  position_ = sequence;
  if (is_wanted) push(frame);
  return true;
}

void Subscription::hold_back(const FramePtr& frame) {
  held_bytes_ += cost_of(*frame);
  held_.push_back(frame);
  // Too much to hold; the journal has it too, so read on there.
  if (held_bytes_ > options_.max_queued_bytes / 2) state_ = SubscriptionState::kReplaying;
}

void Subscription::push(FramePtr frame) {
  queued_bytes_ += cost_of(*frame);
  queue_.push_back(std::move(frame));
}

void Subscription::push_page(std::vector<FramePtr> frames, Sequence reached) {
  for (FramePtr& frame : frames)
    push(std::move(frame));
  position_ = reached;
}

void Subscription::hold() {
  held_.clear();
  held_bytes_ = 0;
  state_ = SubscriptionState::kHolding;
}

// Makes a subscription live that has read up to where it began to hold. False if it could not hold
// that much.
bool Subscription::release() {
  std::vector<FramePtr> held = std::exchange(held_, {});
  if (state_ != SubscriptionState::kHolding) return false;
  state_ = SubscriptionState::kLive;
  for (FramePtr& frame : held) {
    position_ = frame->record->sequence;
    push(std::move(frame));
  }
  return true;
}

void Subscription::end(SubscriptionState state) {
  state_ = state;
  std::vector<FramePtr>().swap(queue_);
  std::vector<FramePtr>().swap(held_);
  taken_ = 0;
  queued_bytes_ = 0;
  if (pace_ != nullptr) pace_->cancel();
}

}  // namespace oriel
