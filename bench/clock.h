#pragma once
// The one clock that senders and readers of the load generator share.

#include <chrono>
#include <cstdint>

namespace oriel {

inline std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace oriel
