#pragma once
// The environment of an agent: a short allow-list, so that no secret of the server reaches the
// agent or its shells. Pure.

#include "agent/agent_spec.h"
#include "posix/environment.h"

namespace oriel {

// The allowed variables of Oriel's `own` environment, then those of the configuration. ORIEL_* is
// not inherited; it is reserved for ORIEL_URL and ORIEL_TOKEN. A container gets no paths and names
// of the host.
Environment agent_environment(const AgentSpec& spec, const Environment& own);

}  // namespace oriel
