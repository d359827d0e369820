#pragma once
// The time that is passed in to sessions.

#include "base/moment.h"

namespace oriel {

inline Moment now() {
  return {.wall = wall_now(), .steady = std::chrono::steady_clock::now()};
}

}  // namespace oriel
