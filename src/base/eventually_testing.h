#pragma once
// For tests: waits for what another thread or process does.

#include <chrono>
#include <functional>
#include <thread>

namespace oriel {

// Polls until the condition holds. Returns false if it does not in time.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds within = std::chrono::seconds(20)) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace oriel
