#pragma once
// Checks of `oriel doctor` on the programs that Oriel runs. Each blocks for about its limit at
// most.

#include "agent/agent_spec.h"
#include "cli/commands/finding.h"
#include "posix/environment.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

constexpr std::chrono::seconds kCheckLimit{10};

// Whether its program is installed and can be run; shows its version if it reports one. `path` is
// the value of PATH.
Finding check_agent(const AgentSpec& agent, const std::string& path);

// What it could read, change and connect to when it runs. `own` is Oriel's environment.
Finding check_reach(const AgentSpec& agent, const Environment& own);

// Whether its max_memory is enforced if it runs in `cgroup`; none if it has no such limit.
std::optional<Finding> check_memory(const AgentSpec& agent, const std::filesystem::path& cgroup);

// Whether it accepts messages. Starts it in that directory and stops it.
Finding check_start(const AgentSpec& agent, const std::filesystem::path& workspace,
                    std::chrono::milliseconds limit);

// Whether any agent works, given the results of check_agent().
Finding check_any_agent(const std::vector<Finding>& agents);

// Whether it works, by running it. Not for kNone.
Finding check_sandbox(SandboxKind kind, const std::string& path);

Finding check_git(const std::string& path);

}  // namespace oriel
