#pragma once
// The agents and projects of oriel.toml and --agent, over those that Oriel knows by itself.

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

// [agents.NAME] and [projects.ID]. A section of a known agent's name changes only what it says; any
// other needs a command. An error names the file, the line, the key, and what is allowed.
Result<AgentConfig> parse_agent_config(const ConfigText& config);

// Whether a key belongs to these sections: "agents.droid.command".
bool is_agent_key(std::string_view key);

// NAME=COMMAND ARGUMENT..., several separated by ";". Words are split at spaces; '...' and "..."
// keep theirs.
Result<std::vector<AgentSpec>> parse_agent_flag(std::string_view text);

// `more` over `agents`: one of the same name is replaced, others are added in front.
std::vector<AgentSpec> merge_agents(std::vector<AgentSpec> agents, std::vector<AgentSpec> more);

}  // namespace oriel
