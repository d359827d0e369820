#pragma once
// Agents, projects and redaction of oriel.toml, and agents of --agent.

#include "agent/agent_spec.h"
#include "base/text/redactor.h"
#include "server/config_file.h"
#include "supervisor/sessions/workspace.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct AgentConfig {
  std::vector<AgentSpec> agents;  // in the order of the file
  std::vector<ProjectSpec> projects;
  std::vector<SecretPattern> patterns;  // masked in what agents say
};

// Parses [agents.NAME], [projects.ID] and [redact]. A section for a built-in agent overrides single
// keys; any other needs a command. An error names the file, line and key, and what is allowed.
Result<AgentConfig> parse_agent_config(const ConfigText& config);

// Whether a key belongs to these sections: "agents.droid.command".
bool is_agent_key(std::string_view key);

// Parses NAME=COMMAND ARGUMENT..., several separated by ";". Words are split at spaces outside of
// '...' and "...".
Result<std::vector<AgentSpec>> parse_agent_flag(std::string_view text);

// `more` first, then those of `agents` with other names.
std::vector<AgentSpec> merge_agents(std::vector<AgentSpec> agents, std::vector<AgentSpec> more);

}  // namespace oriel
