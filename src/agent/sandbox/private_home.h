#pragma once
// The parts of a home that belong to one session's agent alone: its transcripts, caches and copies
// of the user's settings.

#include "agent/agent_environment.h"
#include "agent/agent_spec.h"
#include "base/error.h"

#include <optional>

namespace oriel {

// Makes the private directories of home_parts and copies the user's settings into them. Call this
// while no agent uses them: what one left there is not trusted.
std::optional<Error> prepare_private_home(const AgentSpec& spec, const Environment& own);

}  // namespace oriel
