#pragma once
// Agents and projects of oriel.toml and --agent.

#include "agent/agent_spec.h"
#include "server/config_file.h"
#include "supervisor/sessions/workspace.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct AgentConfig {
  std::vector<AgentSpec> agents;  // in the order of the file
  std::vector<ProjectSpec> projects;
};

// Parses [agents.NAME] and [projects.ID]. A section for a built-in agent overrides single keys; any
// other needs a command. An error names the file, line and key, and what is allowed.
Result<AgentConfig> parse_agent_config(const ConfigText& config);

// Whether a key belongs to these sections: "agents.droid.command".
bool is_agent_key(std::string_view key);

// Parses NAME=COMMAND ARGUMENT..., several separated by ";". Words are split at spaces outside of
// '...' and "...".
Result<std::vector<AgentSpec>> parse_agent_flag(std::string_view text);

// `more` first, then those of `agents` with other names.
std::vector<AgentSpec> merge_agents(std::vector<AgentSpec> agents, std::vector<AgentSpec> more);

}  // namespace oriel
