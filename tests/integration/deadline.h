#pragma once
// Tests wait for conditions, never for a time: each wait ends as soon as it may and fails at its
// deadline.

#include <algorithm>
#include <chrono>
#include <thread>

namespace oriel {

using Milliseconds = std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

// For whatever should happen at once: long enough for a sanitized server on a crowded machine.
constexpr Milliseconds kPatience{20'000};

class Deadline {
 public:
  explicit Deadline(Milliseconds within) : end_(SteadyClock::now() + within) {}

  Milliseconds left() const {
    const auto left = std::chrono::ceil<Milliseconds>(end_ - SteadyClock::now());
    return std::max(left, Milliseconds{0});
  }

  bool passed() const { return SteadyClock::now() >= end_; }

 private:
  SteadyClock::time_point end_;
};

// True as soon as `condition` is, false if it is not within the time.
template <class Condition>
bool eventually(Condition condition, Milliseconds within = kPatience) {
  const Deadline deadline(within);
  while (!condition()) {
    if (deadline.passed()) return false;
    std::this_thread::sleep_for(Milliseconds{5});
  }
  return true;
}

}  // namespace oriel
