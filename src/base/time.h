#pragma once
// Wall-clock time as events carry it: UTC with milliseconds.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;
using WallClock = std::function<WallTime()>;  // injected, so that tests can set the time

WallTime wall_now();

// Milliseconds since 1970-01-01, as documents store a time.
inline std::int64_t unix_milliseconds(WallTime time) {
  return time.time_since_epoch().count();
}

// The reverse. None before 1970 or after the year 9999, which RFC 3339 cannot write.
std::optional<WallTime> wall_time(std::int64_t unix_milliseconds);

// RFC 3339: "2026-11-15T21:19:27.042Z".
std::string format_time(WallTime time);

// Parses RFC 3339 in UTC with any number of fractional digits, or none: "2026-11-15T21:19:27Z".
// None for anything else.
std::optional<WallTime> parse_time(std::string_view text);

}  // namespace oriel
