#pragma once
// Limits how fast one agent is read, so that a flood of events leaves CPU time to other sessions.
// The agent's pipe fills and its writes block; nothing is lost.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace oriel {

// Pure. Allows a burst of a tenth of a second's events.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RateLimiter(std::uint64_t events_per_second)
      : each_(std::chrono::nanoseconds(std::chrono::seconds(1)) / events_per_second) {}

  // When the next events may be read, after this many at `now`.
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
