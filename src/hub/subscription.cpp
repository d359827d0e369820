#include "hub/subscription.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kKeptCapacity = 64;  // frames; the memory of a longer queue is released

}  // namespace

Subscription::Subscription(SubscribeOptions options, std::function<void()> on_ready)
    : has_filter_(!options.filter.is_open()),
      position_(options.after),
      on_ready_(std::move(on_ready)),
      options_(std::move(options)) {}

void Subscription::take(std::vector<FramePtr>& frames, std::size_t max_frames,
                        std::size_t max_bytes) {
  std::size_t bytes = 0;
  while (taken_ < queue_.size() && max_frames > 0 && bytes < max_bytes) {
    FramePtr& next = queue_[taken_++];
    bytes += next->cost();
    queued_bytes_ -= next->cost();
    frames.push_back(std::move(next));
    --max_frames;
  }
  if (taken_ == queue_.size()) {
    taken_ = 0;
    queue_.clear();
    if (queue_.capacity() > kKeptCapacity) queue_.shrink_to_fit();
  }
  if (resume_replay_ != nullptr && !must_pause_replay()) resume_replay_->cancel();
}

// Bypasses an empty queue. Returns the number of frames that were sent.
std::size_t Subscription::send_live(const FrameBatch& batch) {
  const bool is_idle = state_ == SubscriptionState::kLive && queued_bytes_ == 0;
  if (!is_idle || has_filter_ || options_.live_reader == nullptr) return 0;
  if (batch.frames().front()->record->sequence <= position_) return 0;
  const std::size_t sent = options_.live_reader->send_live(batch);
  if (sent > 0) position_ = batch.frames()[sent - 1]->record->sequence;
  return sent;
}

// Offers a live frame. Returns false if the queue has no space for it.
bool Subscription::offer(const FramePtr& frame) {
  const Sequence sequence = frame->record->sequence;
  if (sequence <= position_ || state_ == SubscriptionState::kReplaying || is_ended()) return true;
  const bool is_wanted = !has_filter_ || options_.filter.matches(*frame->record);
  if (state_ == SubscriptionState::kJoining) {
    if (is_wanted) hold(frame);
    return true;
  }
  if (is_wanted && !has_space(frame->cost())) return false;
  position_ = sequence;
  if (is_wanted) push(frame);
  return true;
}

// An empty queue accepts anything: one very large event must not keep its reader from going on.
bool Subscription::has_space(std::size_t bytes) const {
  return queued_bytes_ == 0 || queued_bytes_ + bytes <= options_.max_queued_bytes;
}

void Subscription::hold(const FramePtr& frame) {
  held_bytes_ += frame->cost();
  held_.push_back(frame);
  // Too much to hold: continue to read the journal.
  if (held_bytes_ > options_.max_queued_bytes / 2) return_to_journal();
}

// The journal has what was held too.
void Subscription::return_to_journal() {
  state_ = SubscriptionState::kReplaying;
  std::vector<FramePtr>().swap(held_);
  held_bytes_ = 0;
}

void Subscription::push(FramePtr frame) {
  queued_bytes_ += frame->cost();
  queue_.push_back(std::move(frame));
}

// Returns the bound of the page: everything up to it is in the journal, and every later frame is
// held from now on.
Sequence Subscription::begin_page(Sequence head) {
  state_ = SubscriptionState::kJoining;
  return head;
}

void Subscription::end_page(std::vector<FramePtr> frames, Sequence scanned_until, Sequence bound) {
  for (FramePtr& frame : frames)
    push(std::move(frame));
  position_ = scanned_until;
  position_ >= bound ? finish_join() : return_to_journal();
}

// Goes live after everything up to the bound has been queued, if the frames held since then fit.
void Subscription::finish_join() {
  if (state_ != SubscriptionState::kJoining || !has_space(held_bytes_)) return return_to_journal();
  state_ = SubscriptionState::kLive;
  held_bytes_ = 0;
  for (FramePtr& frame : std::exchange(held_, {})) {
    position_ = frame->record->sequence;
    push(std::move(frame));
  }
}

void Subscription::end(SubscriptionState state) {
  state_ = state;
  std::vector<FramePtr>().swap(queue_);
  std::vector<FramePtr>().swap(held_);
  taken_ = 0;
  queued_bytes_ = 0;
  if (resume_replay_ != nullptr) resume_replay_->cancel();
}

}  // namespace oriel
