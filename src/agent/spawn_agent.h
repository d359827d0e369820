#pragma once
// Starts the process of an agent.

#include "agent/agent_spec.h"
#include "agent/sandbox/sandbox.h"
#include "posix/spawn.h"

namespace oriel {

// Puts the agent's name before the message.
Error about(const AgentSpec& spec, Error error);

// Opens the workspace. Error: it is missing, or its path now has a link, which another agent may
// have put there after the session was made.
Result<FileDescriptor> open_workspace(const std::filesystem::path& workspace);

// Starts the planned command in the opened `directory` of the workspace. Errors name the agent,
// what is missing and the remedy.
Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace,
                            const FileDescriptor& directory);

}  // namespace oriel
