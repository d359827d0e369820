#pragma once
// The current time as passed to pure code: wall time for events, steady time for deadlines.

#include "base/time.h"

#include <chrono>

namespace oriel {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Moment {
  WallTime wall;
  SteadyTime steady;
};

}  // namespace oriel
