#pragma once

#include "agent/agent_spec.h"
#include "agent/sandbox/sandbox.h"
#include "posix/spawn.h"

namespace oriel {

// Starts what was planned. An error names the agent, what is missing, and how to get it.
Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace);

}  // namespace oriel
