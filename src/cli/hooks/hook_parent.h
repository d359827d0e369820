#pragma once
// Finds the agent process that ran a hook. Agents run hooks in shells, which may be in between.

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct CalledProcess {
  pid_t parent = 0;
  std::vector<std::string> words;  // its command line
};

using LookAtProcess = std::function<std::optional<CalledProcess>(pid_t)>;

// Skips shells that run a command (`sh -c`) and returns the first other ancestor; an interactive
// shell is not skipped.
pid_t behind_shells(pid_t pid, const LookAtProcess& look);

// The same, with processes from /proc.
pid_t agent_behind(pid_t parent);

}  // namespace oriel
