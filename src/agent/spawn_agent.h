#pragma once

#include "agent/agent_spec.h"
#include "agent/sandbox/sandbox.h"
#include "posix/spawn.h"

namespace oriel {

// Starts the planned command. Errors name the agent, what is missing and the remedy.
Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace);

}  // namespace oriel
