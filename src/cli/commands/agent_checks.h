#pragma once
// The checks of `oriel doctor` on the programs that Oriel runs. Each blocks, no longer than its
// limit or so.

#include "agent/agent_spec.h"
#include "cli/commands/finding.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

constexpr std::chrono::seconds kCheckLimit{10};

// Is its program there, does it say its version? `path` is the value of PATH.
Finding check_agent(const AgentSpec& agent, const std::string& path);

// Does it start and take messages? Really starts it in that directory, and ends it again.
Finding check_start(const AgentSpec& agent, const std::filesystem::path& workspace,
                    std::chrono::milliseconds limit);

// Is there an agent at all, given what check_agent() found?
Finding check_any_agent(const std::vector<Finding>& agents);

// Does it work, not only: is it installed? Not for kNone.
Finding check_sandbox(SandboxKind kind, const std::string& path);

Finding check_git(const std::string& path);

}  // namespace oriel
