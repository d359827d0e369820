#pragma once
// The agents that sessions can run: known agents and agents of oriel.toml.

#include "agent/agent_spec.h"
#include "base/error.h"

#include <string>
#include <vector>

namespace oriel {

struct AgentInfo {
  AgentSpec spec;
  std::string problem;  // why it cannot be started here; empty: it can
};

// Immutable, so usable on any thread.
class AgentCatalog {
 public:
  AgentCatalog(std::vector<AgentSpec> agents, std::string default_agent);

  const std::string& default_agent() const { return default_agent_; }

  // Error: unknown_agent.
  Result<AgentSpec> find(const std::string& name) const;

  // Looks for each agent's program on PATH: blocks.
  std::vector<AgentInfo> list() const;

 private:
  std::vector<AgentSpec> agents_;
  std::string default_agent_;
};

}  // namespace oriel
