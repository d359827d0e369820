#include "agent/sandbox/sandbox.h"

#include "posix/process_tree.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr const char* kWorkspaceInside = "/workspace";
constexpr const char* kHomeInside = "/home/agent";
constexpr const char* kUploadsInside = "/uploads";

using Words = std::vector<std::string>;

void append(Words& to, const Words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Words sandbox_command(const AgentSpec& spec, const char* usual) {
  return spec.sandbox_command.empty() ? Words{usual} : spec.sandbox_command;
}

// The host read-only; workspace, home and a private /tmp writable. A PID namespace hides other
// processes.
Words bubblewrap(const AgentSpec& spec, const std::string& program, const std::string& workspace,
                 const Environment& environment) {
  Words argv = sandbox_command(spec, "bwrap");
  append(argv, {"--die-with-parent", "--unshare-pid", "--unshare-ipc", "--ro-bind", "/", "/",
                "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"});
  if (program.starts_with("/tmp/")) append(argv, {"--ro-bind", program, program});
  const auto home = environment.find("HOME");
  // The home of a service is often "/", which would make everything writable.
  if (home != environment.end() && home->second != "/")
    append(argv, {"--bind-try", home->second, home->second});
  append(argv, {"--bind", workspace, workspace, "--chdir", workspace});
  if (!spec.uploads.empty()) append(argv, {"--ro-bind", spec.uploads, spec.uploads});
  append(argv, spec.sandbox_options);
  argv.emplace_back("--");
  return argv;
}

// Variables that podman and docker themselves read.
bool is_for_launcher(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {
      "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS"};
  constexpr std::array<std::string_view, 4> kPrefixes = {"XDG_", "DOCKER_", "CONTAINER", "PODMAN_"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

Environment launcher_environment(const Environment& own) {
  Environment environment;
  for (const auto& [name, value] : own)
    if (is_for_launcher(name)) environment.emplace(name, value);
  return environment;
}

std::string bind_mount(const std::string& source, const char* target) {
  return "type=bind,source=" + source + ",target=" + target;
}

// Pass values through the environment of the launcher: its arguments are visible to all users.
Launch container(const AgentSpec& spec, const Words& command, const std::string& workspace,
                 const Environment& own, const Environment& inside, const std::string& id) {
  const bool is_podman = spec.sandbox == SandboxKind::kPodman;
  const Words launcher = sandbox_command(spec, is_podman ? "podman" : "docker");
  Launch launch;
  launch.command.directory = workspace;
  launch.command.environment = launcher_environment(own);
  launch.removal =
      ProcessSpec{.argv = launcher, .environment = launch.command.environment, .directory = "/"};
  append(launch.removal->argv, {"rm", "--force"});
  if (is_podman) append(launch.removal->argv, {"--ignore", "--time", "0"});
  launch.removal->argv.push_back(id);

  Words& argv = launch.command.argv;
  argv = launcher;
  append(argv, {"run", "--rm", "--interactive", "--init", "--name", id, "--workdir",
                kWorkspaceInside, "--mount", bind_mount(workspace, kWorkspaceInside)});
  // Pass our pipes through: podman as a copier loses the last output of an agent that exits early.
  if (is_podman) append(argv, {"--log-driver", "passthrough"});
  if (!spec.home.empty()) append(argv, {"--mount", bind_mount(spec.home.string(), kHomeInside)});
  if (!spec.uploads.empty()) {
    const std::string mount = bind_mount(spec.uploads.string(), kUploadsInside);
    append(argv, {"--mount", mount + ",readonly"});
  }
  for (const auto& [name, value] : inside) {
    // The marker is not secret, and must not mark podman's own background processes.
    if (is_for_launcher(name) || name == kMarkerName) {
      append(argv, {"--env", fmt::format("{}={}", name, value)});
    } else {
      append(argv, {"--env", name});
      launch.command.environment[name] = value;
    }
  }
  append(argv, spec.sandbox_options);
  argv.push_back(spec.image);
  append(argv, command);
  return launch;
}

}  // namespace

std::string workspace_inside(SandboxKind sandbox, const std::filesystem::path& workspace) {
  return is_container(sandbox) ? kWorkspaceInside : workspace.string();
}

std::string uploads_inside(SandboxKind sandbox, const std::filesystem::path& uploads) {
  return is_container(sandbox) ? kUploadsInside : uploads.string();
}

Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const std::filesystem::path& workspace, const Environment& own,
                   const std::string& id) {
  Environment environment = agent_environment(spec, own);
  environment[std::string(kMarkerName)] = id;
  if (is_container(spec.sandbox)) {
    if (!spec.home.empty()) environment["HOME"] = kHomeInside;
    return container(spec, command, workspace.string(), own, environment, id);
  }
  Launch launch;
  launch.command.directory = workspace;
  if (spec.sandbox == SandboxKind::kBubblewrap) {
    launch.is_wrapped = true;
    launch.command.argv = bubblewrap(spec, command.front(), workspace.string(), environment);
  }
  append(launch.command.argv, command);
  launch.command.environment = std::move(environment);
  return launch;
}

}  // namespace oriel
