#pragma once
// When a shard delivers next. A delivery costs a system call for each reader, whether it brings one
// event or ten; so a shard that is kept busy by deliveries rests between them, and the events that
// come meanwhile share the next one.

#include <algorithm>
#include <chrono>

namespace oriel {

// Pure. After a rest the first event is delivered at once; then a delivery is followed by a rest of
// its own length, so that deliveries take at most half of the shard's time.
class DeliveryPace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DeliveryPace(Clock::duration longest_rest) : longest_rest_(longest_rest) {}

  void delivered(Clock::time_point begin, Clock::time_point end) {
    next_ = end + std::min(end - begin, longest_rest_);
  }

  Clock::time_point next() const { return next_; }

 private:
  Clock::duration longest_rest_;
  Clock::time_point next_{};
};

}  // namespace oriel
