#pragma once
// Builds the command that runs an agent in its sandbox. Pure.

#include "agent/agent_environment.h"
#include "agent/agent_spec.h"
#include "agent/sandbox/mount.h"
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

// Facts about this machine that a plan needs.
struct SandboxHost {
  std::filesystem::path init;                 // oriel-sandbox-init
  std::filesystem::path handover;             // of the proxy; empty: the sandbox has no network
  std::vector<Mount> program_files;           // for bubblewrap
  std::filesystem::path oriel_handover = {};  // of the gate; empty: no access to Oriel
  std::string workspace_identity = {};        // "DEVICE:INODE", for oriel-sandbox-init
  std::vector<std::filesystem::path> masked = {};  // files of /proc that bubblewrap hides
};

// Everything that bubblewrap shows except the program's files: the system's programs and settings,
// the agent's home_paths, the workspace and the uploads.
std::vector<Mount> sandbox_mounts(const AgentSpec& spec, const std::filesystem::path& workspace,
                                  const Environment& own);

// A path that the sandbox would show but must not: it contains the user's home, a hidden directory,
// Oriel's socket, or a hidden file that cannot be masked, or it is in a hidden directory outside of
// the session's own. Empty: none.
std::filesystem::path find_exposure(const AgentSpec& spec, const std::filesystem::path& workspace,
                                    const Environment& own);

// Plans to run `command` in `workspace`. `id` is unique: it marks all processes and names the
// container.
Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const std::filesystem::path& workspace, const Environment& own,
                   const std::string& id, const SandboxHost& host);

}  // namespace oriel
