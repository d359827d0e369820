#pragma once
// Agents that Oriel knows without configuration.

#include "agent/agent_spec.h"
#include "posix/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The demo agent first. Commands as typed in a terminal; Adapter::arguments() adds the rest.
std::vector<AgentSpec> known_agents();

// Installation instructions for a known agent; empty for an unknown one.
std::string how_to_install(std::string_view agent_name);

}  // namespace oriel
