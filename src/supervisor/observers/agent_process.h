#pragma once
// Whether the process that an observed agent's hooks named is still that agent's.

#include "base/time.h"
#include "observed/observed_agent.h"
#include "posix/process_tree.h"

#include <cstdint>
#include <optional>

namespace oriel {

// Belongs to one agent; may be asked on any one thread at a time. look() reads /proc.
class AgentProcess {
 public:
  // Whether a process of this number is here at all. A hook of a container names one that is not.
  static bool is_here(std::int64_t pid);

  // `heard_at` is when a hook named it, or later: a process that began after that is another one
  // that has got its number.
  Liveness look(std::optional<std::int64_t> pid, WallTime heard_at);

  // The same of what /proc shows; `began` is when that process did.
  Liveness judge(const std::optional<ProcessInfo>& found, WallTime began, WallTime heard_at);

 private:
  std::optional<ProcessInfo> known_;  // the process that was found to be the agent's
};

}  // namespace oriel
