#pragma once
// The processes of this machine, found by a variable in the environment that they were started
// with.

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Those with "NAME=value" in their environment, oldest first; not those that have ended already.
std::vector<pid_t> processes_with(std::string_view variable);

// The parent, by its number; 0 if there is none.
pid_t parent_of(pid_t pid);

// For failures: its number and command line.
std::string describe_processes(const std::vector<pid_t>& pids);

}  // namespace oriel
