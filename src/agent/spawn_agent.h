#pragma once

#include "agent/agent_spec.h"
#include "agent/sandbox/sandbox.h"
#include "posix/spawn.h"

namespace oriel {

// Puts the agent's name before the message.
Error about(const AgentSpec& spec, Error error);

// Starts the planned command. Errors name the agent, what is missing and the remedy.
Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace);

}  // namespace oriel
