#pragma once
// Now, as it is passed in to what decides: wall time is what events show, steady time is what
// deadlines are measured by.

#include "base/time.h"

#include <chrono>

namespace oriel {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Moment {
  WallTime wall;
  SteadyTime steady;
};

}  // namespace oriel
