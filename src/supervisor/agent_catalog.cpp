#include "supervisor/agent_catalog.h"

#include "agent/known_agents.h"
#include "base/text/quote.h"

#include <spdlog/fmt/ranges.h>

#include <cstdlib>
#include <utility>

namespace oriel {
namespace {

std::string problem_of(const AgentSpec& spec) {
  const char* path = std::getenv("PATH");
  if (find_program(spec.command.front(), path == nullptr ? "" : path)) return "";
  const std::string remedy = how_to_install(spec.name);
  return quote(spec.command.front()) + " is not installed or not on PATH" +
         (remedy.empty() ? "" : "; " + remedy);
}

}  // namespace

AgentCatalog::AgentCatalog(std::vector<AgentSpec> agents, std::string default_agent)
    : agents_(std::move(agents)), default_agent_(std::move(default_agent)) {}

Result<AgentSpec> AgentCatalog::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const AgentSpec& spec : agents_) {
    if (spec.name == name) return spec;
    names.push_back(spec.name);
  }
  return Error{.kind = ErrorKind::kUnknownAgent,
               .message = "there is no agent " + quote(name),
               .hint = fmt::format("choose from {}, or add [agents.{}] to oriel.toml",
                                   fmt::join(names, ", "), name)};
}

std::vector<AgentInfo> AgentCatalog::list() const {
  std::vector<AgentInfo> agents;
  for (const AgentSpec& spec : agents_)
    agents.push_back({.spec = spec, .problem = problem_of(spec)});
  return agents;
}

}  // namespace oriel
