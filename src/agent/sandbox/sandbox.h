#pragma once
// What confines an agent, as a prefix to its command. Pure.

#include "agent/agent_environment.h"
#include "agent/agent_spec.h"
#include "posix/spawn.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// How an agent is started, and what its end needs beside signals.
struct Launch {
  ProcessSpec command;
  // The process we start is a wrapper, which would drop its agent at SIGTERM: only its descendants
  // are asked to end.
  bool is_wrapped = false;
  std::optional<ProcessSpec> removal;  // of the container, whose processes are not ours
};

// The workspace as the agent sees it.
std::string workspace_inside(SandboxKind sandbox, const std::filesystem::path& workspace);

// Where it finds the files that people send it.
std::string uploads_inside(SandboxKind sandbox, const std::filesystem::path& uploads);

// Runs `command` in `workspace`. `id` is unique: it becomes the marker of all its processes, and
// the container's name.
Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const std::filesystem::path& workspace, const Environment& own,
                   const std::string& id);

}  // namespace oriel
