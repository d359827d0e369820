#pragma once
// Which process is the agent that fired a hook. Agents run hooks by a shell, which may stand
// between.

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

// The process itself, or whoever called the shells that it is the last of. An interactive shell is
// nobody's errand, and stays.
pid_t behind_shells(pid_t pid, const LookAtProcess& look);

// The agent, as /proc tells.
pid_t agent_behind(pid_t parent);

}  // namespace oriel
