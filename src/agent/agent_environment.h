#pragma once
// The environment of an agent: a short allow-list, so that no secret of Oriel's reaches the agent
// or the shells it starts. Pure.

#include "agent/agent_spec.h"
#include "posix/environment.h"

namespace oriel {

// The allowed part of Oriel's `own` environment, then what the configuration adds. Never a variable
// ORIEL_*: those are reserved. A container gets none of the host's paths and names.
Environment agent_environment(const AgentSpec& spec, const Environment& own);

}  // namespace oriel
