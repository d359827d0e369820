#pragma once
// Compares what a watcher received with the journal. Pure.

#include "verify/evidence.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oriel {

struct WatchCheck {
  std::uint64_t delivered = 0;
  std::uint64_t announced = 0;          // missing events that a gap counted
  std::vector<std::string> faults;      // repeated, out of order, changed, unknown
  std::vector<std::string> holes;       // missing events without a gap
  std::vector<std::string> wrong_gaps;  // with another number of events than are missing
};

// `journal` has all events that the watcher should have received, rising.
WatchCheck check_watch(const WatchLog& log, const std::vector<Delivery>& journal);

}  // namespace oriel
