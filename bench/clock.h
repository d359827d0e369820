#pragma once
// The clock of all benchmark programs, so that times are comparable between processes.

#include <chrono>
#include <cstdint>

namespace oriel {

inline std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace oriel
