#pragma once
// Wall-clock time as events carry it: UTC with milliseconds.

#include <chrono>
#include <functional>
#include <string>

namespace oriel {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;
using WallClock = std::function<WallTime()>;  // injected, so that tests can set the time

WallTime wall_now();

// RFC 3339: "2026-11-15T21:19:27.042Z".
std::string format_time(WallTime time);

}  // namespace oriel
