#pragma once
// Coalesces deliveries under load. A delivery costs one system call per subscriber, whether it
// carries one event or ten; so a busy shard delays the next one, and the events that arrive
// meanwhile share it.

#include <algorithm>
#include <chrono>

namespace oriel {

// Pure. The first event after an idle time is delivered at once. Each delivery is followed by a
// pause of its own length, so that deliveries take at most half of the shard's time.
class DeliveryCoalescer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DeliveryCoalescer(Clock::duration max_delay) : max_delay_(max_delay) {}

  void delivered(Clock::time_point begin, Clock::time_point end) {
    next_ = end + std::min(end - begin, max_delay_);
  }

  // The earliest time of the next delivery.
  Clock::time_point next() const { return next_; }

 private:
  Clock::duration max_delay_;
  Clock::time_point next_{};
};

}  // namespace oriel
