#pragma once
// Rate-limits log lines of a lasting failure.

#include "base/moment.h"
#include "base/mutex.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oriel {

// Admits one line per cause and interval. Thread-safe: the caller needs the result at once.
class FailureLog {
 public:
  explicit FailureLog(std::chrono::milliseconds interval = std::chrono::seconds(10))
      : interval_(interval) {}

  // The number of failures of this cause omitted since the last line; none: do not log this one.
  std::optional<std::uint64_t> admit(const std::string& cause, SteadyTime now);

  // The end of the line; empty if no failure was omitted.
  static std::string note(std::uint64_t left_out);

 private:
  struct Cause {
    SteadyTime logged;
    std::uint64_t left_out = 0;
  };

  const std::chrono::milliseconds interval_;
  Mutex mutex_;
  std::map<std::string, Cause> causes_ GUARDED_BY(mutex_);
};

}  // namespace oriel
