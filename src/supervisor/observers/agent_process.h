#pragma once
// Whether the process that an observed agent's hooks named still belongs to the agent.

#include "base/time.h"
#include "observed/observed_agent.h"
#include "posix/process_tree.h"

#include <cstdint>
#include <optional>

namespace oriel {

// Belongs to one agent. Used by one thread at a time.
class AgentProcess {
 public:
  // Whether this machine has such a process. The hook of a container may name a process that does
  // not exist here.
  static bool exists(std::int64_t pid);

  // `active_at` is when a hook named the process, or later: a process that started after that only
  // reuses the pid. Reads /proc.
  Liveness look(std::optional<std::int64_t> pid, WallTime active_at);

  // Judges a process that was found in /proc and started at `started`.
  Liveness judge(const std::optional<ProcessInfo>& found, WallTime started, WallTime active_at);

 private:
  std::optional<ProcessInfo> known_;  // the agent's process
};

}  // namespace oriel
