#pragma once
// How fast one agent is read, so that a flood leaves the machine to the other sessions: its pipe
// fills, it waits in its own write, and nothing is lost.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace oriel {

// Pure. So many events a second, after a burst of a tenth of a second's at any speed.
class FloodPace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit FloodPace(std::uint64_t events_per_second)
      : each_(std::chrono::nanoseconds(std::chrono::seconds(1)) / events_per_second) {}

  // When the next may be read, now that so many have come.
  Clock::time_point after(std::size_t events, Clock::time_point now) {
    due_ = std::max(due_, now - kBurst) + each_ * static_cast<std::int64_t>(events);
    return due_;
  }

 private:
  static constexpr std::chrono::milliseconds kBurst{100};

  std::chrono::nanoseconds each_;
  Clock::time_point due_{};
};

}  // namespace oriel
