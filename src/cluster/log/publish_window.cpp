#include "cluster/log/publish_window.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kBytesPerMillisecond = 4 << 10;  // what a slow machine handles

}  // namespace

bool PublishWindow::has_room() const {
  return slots_.empty() || (slots_.size() < options_.max_entries && bytes_ < options_.max_bytes);
}

void PublishWindow::add(std::uint64_t number, std::vector<std::string> messages, SteadyTime now) {
  assert(slots_.empty() || slots_.back().number + 1 == number);
  if (slots_.empty()) {
    stall_ = options_.min_stall;
    note_progress(now);
  }
  Slot& slot = slots_.emplace_back();
  slot.number = number;
  for (std::string& message : messages) {
    slot.bytes += message.size();
    slot.messages.push_back(std::make_shared<std::string>(std::move(message)));
  }
  bytes_ += slot.bytes;
}

std::shared_ptr<const PublishWindow::Sending> PublishWindow::next(SteadyTime now) {
  if (!slots_.empty() && now >= stalled_at_) {
    go_back();
    stall_ = std::min(stall_ * 2, options_.max_stall);
    stalled_at_ = next_stall(now);
  }
  if (next_slot_ == slots_.size() || now < paused_until_) return nullptr;
  Slot& slot = slots_[next_slot_];
  if (next_part_ == 0 && std::exchange(slot.was_sent, true)) ++repeated_;
  auto sending = std::make_shared<const Sending>(
      Sending{.number = slot.number, .attempt = attempt_, .message = slot.messages[next_part_]});
  if (++next_part_ == slot.messages.size()) {
    ++next_slot_;
    next_part_ = 0;
  }
  return sending;
}

void PublishWindow::unsent(const Sending& sending, SteadyTime now) {
  if (sending.attempt == attempt_) go_back();
  paused_until_ = now + options_.min_pause;
}

void PublishWindow::acknowledged(SteadyTime now) {
  note_progress(now);
}

void PublishWindow::refused(std::uint32_t attempt, SteadyTime now) {
  if (attempt != attempt_ || slots_.empty()) return;
  go_back();
  paused_until_ = now + pause_;
  pause_ = std::min(pause_ * 2, options_.max_pause);
}

void PublishWindow::stored(std::uint64_t number, SteadyTime now) {
  if (slots_.empty() || slots_.front().number > number) return;
  while (!slots_.empty() && slots_.front().number <= number) {
    bytes_ -= slots_.front().bytes;
    slots_.pop_front();
    if (next_slot_ > 0)
      --next_slot_;
    else
      next_part_ = 0;  // it came back while it was about to be repeated
  }
  stall_ = options_.min_stall;
  note_progress(now);
}

void PublishWindow::passed_over(std::uint32_t attempt, SteadyTime now) {
  if (attempt != attempt_ || slots_.empty()) return;
  go_back();
  paused_until_ = std::min(paused_until_, now);
}

void PublishWindow::clear() {
  slots_.clear();
  bytes_ = 0;
  go_back();
}

void PublishWindow::reconnected(SteadyTime now) {
  go_back();
  paused_until_ = now;
  if (!slots_.empty()) stalled_at_ = next_stall(now);
}

SteadyTime PublishWindow::due() const {
  if (slots_.empty()) return SteadyTime::max();
  if (next_slot_ == slots_.size()) return stalled_at_;
  return std::min(stalled_at_, paused_until_);
}

SteadyTime PublishWindow::waiting_since() const {
  return slots_.empty() ? SteadyTime::max() : progress_;
}

void PublishWindow::go_back() {
  next_slot_ = 0;
  next_part_ = 0;
  ++attempt_;
}

void PublishWindow::note_progress(SteadyTime now) {
  progress_ = now;
  pause_ = options_.min_pause;
  stalled_at_ = next_stall(now);
}

SteadyTime PublishWindow::next_stall(SteadyTime now) const {
  return now + stall_ + std::chrono::milliseconds(bytes_ / kBytesPerMillisecond);
}

}  // namespace oriel
