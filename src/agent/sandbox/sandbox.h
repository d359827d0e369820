#pragma once
// Builds the command that runs an agent in its sandbox. Pure.

#include "agent/agent_environment.h"
#include "agent/agent_spec.h"
#include "posix/spawn.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// How to start an agent, and how to clean up after it.
struct Launch {
  ProcessSpec command;
  // The started process is a wrapper that would abandon the agent on SIGTERM: signal only its
  // descendants.
  bool is_wrapped = false;
  std::optional<ProcessSpec>
      removal;  // removes the container, whose processes are not our children
};

// The workspace as the agent sees it.
std::string workspace_inside(SandboxKind sandbox, const std::filesystem::path& workspace);

// The uploads directory as the agent sees it.
std::string uploads_inside(SandboxKind sandbox, const std::filesystem::path& uploads);

// Plans to run `command` in `workspace`. `id` is unique: it marks all processes and names the
// container.
Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const std::filesystem::path& workspace, const Environment& own,
                   const std::string& id);

}  // namespace oriel
