#include "agent/sandbox.h"

namespace oriel {

std::string workspace_inside(SandboxKind, const std::filesystem::path& workspace) {
  return workspace.string();
}

Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const std::filesystem::path& workspace, const Environment& own,
                   const std::string& id) {
  Environment environment = agent_environment(spec, own);
  environment[std::string(kMarkerName)] = id;
  Launch launch;
  launch.command =
      Command{.argv = command, .environment = std::move(environment), .directory = workspace};
  return launch;
}

}  // namespace oriel
