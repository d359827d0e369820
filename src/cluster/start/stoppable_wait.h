#pragma once
// Waiting on a thread that may be told to stop. Both throw std::runtime_error then.

#include <chrono>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace oriel {

inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw std::runtime_error("the start was interrupted");
}

inline void wait_for(std::chrono::milliseconds duration, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kStopLook{20};
  const auto until = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < until) {
    throw_if_stopped(stop);
    std::this_thread::sleep_for(kStopLook);
  }
}

}  // namespace oriel
