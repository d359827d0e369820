#include "agent/spawn_agent.h"

#include "agent/program.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

Error about(const AgentSpec& spec, Error error) {
  error.message = fmt::format("agent {}: {}", spec.name, error.message);
  return error;
}

Error about_program(const AgentSpec& spec, Error error) {
  if (error.code == "program_missing")
    error.hint = fmt::format("Install it, or set [agents.{}] command.", spec.name);
  return about(spec, std::move(error));
}

}  // namespace

Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace) {
  std::error_code ec;
  if (!std::filesystem::is_directory(workspace, ec))
    return about(spec, Error{.code = "directory_missing",
                             .message = fmt::format("the workspace '{}' is not a directory",
                                                    workspace.string()),
                             .hint = "Give the absolute path of a directory that exists."});
  if (spec.command.empty())
    return about(spec, Error{.code = "program_missing",
                             .message = "it has no command",
                             .hint = fmt::format("Set [agents.{}] command.", spec.name)});
  Result<Spawned> spawned = spawn(launch.command);
  if (!spawned) return about_program(spec, spawned.error());
  return spawned;
}

}  // namespace oriel
