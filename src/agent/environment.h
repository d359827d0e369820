#pragma once
// What an agent sees of Oriel's environment: a short list, so that no secret of ours reaches it or
// the shells it starts. Pure, but for own_environment().

#include "agent/agent_spec.h"

#include <map>
#include <string>
#include <vector>

namespace oriel {

using Environment = std::map<std::string, std::string, std::less<>>;

// Every process of an agent carries it, with the agent's own value.
constexpr std::string_view kMarkerName = "ORIEL_AGENT_ID";

Environment own_environment();

// The allowed part of Oriel's `own` environment, then what the configuration adds. Never a variable
// ORIEL_*: those are ours. In a container the host's paths and names mean nothing and stay out.
Environment agent_environment(const AgentSpec& spec, const Environment& own);

// Its PATH, or where programs usually are.
std::string program_path(const Environment& environment);

// NAME=VALUE, as exec takes it.
std::vector<std::string> environment_lines(const Environment& environment);

}  // namespace oriel
