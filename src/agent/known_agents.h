#pragma once
// The agents that Oriel can run without being told how.

#include "agent/agent_spec.h"
#include "posix/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The demo agent first. Commands are what a person would type; what the adapter's language needs
// beside them comes from Adapter::arguments().
std::vector<AgentSpec> known_agents();

// How to get the program of a known agent, as a sentence for a person; empty for an unknown one.
std::string how_to_install(std::string_view agent_name);

}  // namespace oriel
