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
constexpr const char* kInitInside = "/run/oriel/init";
constexpr const char* kHandoverInside = "/run/oriel/handover";
constexpr const char* kOrielHandoverInside = "/run/oriel/oriel";

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& to, const Words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

fs::path without_final_slash(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

Words sandbox_command(const AgentSpec& spec, const char* usual) {
  return spec.sandbox_command.empty() ? Words{usual} : spec.sandbox_command;
}

// Programs and settings of the system. Not /var, /run, /home, /srv: data and sockets are there.
constexpr std::array kSystem = {"/usr",    "/bin", "/sbin", "/lib",       "/lib32",    "/lib64",
                                "/libx32", "/etc", "/opt",  "/nix/store", "/gnu/store"};

fs::path user_home(const Environment& own) {
  const auto home = own.find("HOME");
  return home == own.end() ? fs::path() : fs::path(home->second).lexically_normal();
}

// Whether the operator chose a home for this agent alone.
bool has_own_home(const AgentSpec& spec, const Environment& own) {
  return !spec.home.empty() && spec.home != "/" && spec.home != user_home(own);
}

// The home as the agent sees it in bubblewrap. That of a service is often "/".
fs::path bubblewrap_home(const AgentSpec& spec, const Environment& own) {
  if (has_own_home(spec, own)) return spec.home;
  const fs::path home = user_home(own);
  return home.is_absolute() && home != "/" ? home : fs::path(kHomeInside);
}

// Without a place for private parts, directories are in memory and copies cannot be changed.
Mount mount_of(const HomePart& part, const AgentSpec& spec, const fs::path& home,
               const fs::path& users_home) {
  const fs::path target = home / part.path;
  const bool is_kept = !spec.private_home.empty();
  switch (part.access) {
    case HomeAccess::kPrivate:
      if (!is_kept) return {.kind = MountKind::kEmpty, .target = target};
      return {
          .kind = MountKind::kWritable, .target = target, .source = spec.private_home / part.path};
    case HomeAccess::kCopied:
      return {.kind = is_kept ? MountKind::kWritable : MountKind::kReadOnly,
              .target = target,
              .source = (is_kept ? spec.private_home : users_home) / part.path,
              .is_optional = true};
    case HomeAccess::kLogin:
    case HomeAccess::kReadOnly:
      break;
  }
  return {.kind = part.access == HomeAccess::kLogin ? MountKind::kWritable : MountKind::kReadOnly,
          .target = target,
          .source = users_home / part.path,
          .is_optional = true};
}

// A copy in a private directory is there without a mount, and can be replaced.
bool needs_mount(const HomePart& part, const AgentSpec& spec) {
  if (part.access != HomeAccess::kCopied || spec.private_home.empty()) return true;
  return std::none_of(spec.home_parts.begin(), spec.home_parts.end(), [&](const HomePart& other) {
    return other.access == HomeAccess::kPrivate && is_within(part.path, other.path);
  });
}

// A new root with these mounts, in new namespaces: no process, socket or network of the host.
Words bubblewrap(const AgentSpec& spec, const fs::path& workspace, const Environment& own,
                 const SandboxHost& host) {
  std::vector<Mount> mounts = sandbox_mounts(spec, workspace, own);
  mounts.insert(mounts.end(), host.program_files.begin(), host.program_files.end());
  mounts.push_back({.kind = MountKind::kReadOnly, .target = kInitInside, .source = host.init});
  // Settings of the kernel. Their files belong to root, who needs no privilege to write them.
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"})
    mounts.push_back(
        {.kind = MountKind::kReadOnly, .target = path, .source = path, .is_optional = true});
  for (const fs::path& file : host.masked)
    mounts.push_back({.kind = MountKind::kMasked, .target = file});
  if (!host.handover.empty())
    mounts.push_back(
        {.kind = MountKind::kWritable, .target = kHandoverInside, .source = host.handover});
  if (!host.oriel_handover.empty())
    mounts.push_back({.kind = MountKind::kWritable,
                      .target = kOrielHandoverInside,
                      .source = host.oriel_handover});
  Words argv = sandbox_command(spec, "bwrap");
  append(argv, {"--die-with-parent", "--new-session", "--unshare-user", "--disable-userns",
                "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net",
                "--unshare-cgroup-try", "--cap-drop", "ALL", "--dev", "/dev", "--proc", "/proc"});
  append(argv, bwrap_words(in_order(std::move(mounts))));
  append(argv, {"--remount-ro", "/", "--chdir", workspace.string()});
  append(argv, spec.unsafe_sandbox_options);
  argv.emplace_back("--");
  return argv;
}

// The words that run oriel-sandbox-init, which becomes the command after them.
Words init_words(const AgentSpec& spec, const SandboxHost& host, std::uint64_t max_processes) {
  Words words = {kInitInside};
  if (!host.workspace_identity.empty()) append(words, {"--workspace", host.workspace_identity});
  if (!host.handover.empty()) append(words, {"--proxy", kHandoverInside});
  if (!host.oriel_handover.empty())
    append(words, {spec.oriel_uses_tls ? "--oriel-https" : "--oriel-http", kOrielHandoverInside});
  if (max_processes > 0) append(words, {"--max-processes", std::to_string(max_processes)});
  words.emplace_back("--");
  return words;
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

bool is_in_any(const std::vector<fs::path>& directories, const fs::path& path) {
  return std::any_of(directories.begin(), directories.end(),
                     [&](const fs::path& directory) { return is_within(path, directory); });
}

bool holds_any(const fs::path& path, const std::vector<fs::path>& places) {
  const fs::path directory = without_final_slash(path);
  return std::any_of(places.begin(), places.end(),
                     [&](const fs::path& place) { return is_within(place, directory); });
}

// Whether Oriel's data would be shown through a path inside it, as other sessions' workspaces.
bool is_hidden(const AgentSpec& spec, const fs::path& path) {
  const fs::path directory = without_final_slash(path);
  const bool is_own = !spec.own_directory.empty() && is_within(directory, spec.own_directory);
  return !is_own && is_in_any(spec.hidden, directory);
}

// A masked file cannot be replaced, but the directories between it and a writable one could be.
bool holds_deeper(const fs::path& path, const std::vector<fs::path>& files) {
  const fs::path directory = without_final_slash(path);
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    return is_within(file, directory) && file.parent_path() != directory;
  });
}

std::vector<fs::path> hidden_files(const AgentSpec& spec) {
  std::vector<fs::path> files = spec.hidden_files;
  if (!spec.oriel_socket.empty()) files.push_back(spec.oriel_socket);
  return files;
}

enum class Access { kRead, kWrite };

// Fields of --mount are separated by commas, those of --volume by colons.
Words bind_mount(const fs::path& source, const std::string& target, Access access) {
  const std::string from = source.string();
  const bool is_read_only = access == Access::kRead;
  if (from.find_first_of(",\"") != from.npos)
    return {"--volume", from + ":" + target + (is_read_only ? ":ro" : "")};
  return {"--mount",
          "type=bind,source=" + from + ",target=" + target + (is_read_only ? ",readonly" : "")};
}

// What the container shows beside its image.
Words container_mounts(const AgentSpec& spec, const fs::path& workspace, const SandboxHost& host) {
  Words words = bind_mount(workspace, kWorkspaceInside, Access::kWrite);
  for (const fs::path& file : spec.hidden_files)
    if (is_within(file, workspace))
      append(words, bind_mount("/dev/null",
                               (kWorkspaceInside / file.lexically_relative(workspace)).string(),
                               Access::kRead));
  if (!spec.home.empty()) append(words, bind_mount(spec.home, kHomeInside, Access::kWrite));
  if (!spec.uploads.empty()) append(words, bind_mount(spec.uploads, kUploadsInside, Access::kRead));
  for (const std::string& path : spec.sandbox_read)
    append(words, bind_mount(path, path, Access::kRead));
  for (const std::string& path : spec.sandbox_write)
    append(words, bind_mount(path, path, Access::kWrite));
  append(words, bind_mount(host.init, kInitInside, Access::kRead));
  if (!host.handover.empty())
    append(words, bind_mount(host.handover, kHandoverInside, Access::kWrite));
  if (!host.oriel_handover.empty())
    append(words, bind_mount(host.oriel_handover, kOrielHandoverInside, Access::kWrite));
  return words;
}

// Pass values through the environment of the launcher: its arguments are visible to all users.
Launch container(const AgentSpec& spec, const Words& command, const fs::path& workspace,
                 const Environment& own, const Environment& inside, const std::string& id,
                 const SandboxHost& host) {
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
  append(argv,
         {"run", "--rm", "--interactive", "--init", "--name", id, "--network=none",
          "--cap-drop=all", "--security-opt=no-new-privileges", "--workdir", kWorkspaceInside});
  if (spec.max_processes > 0) argv.push_back("--pids-limit=" + std::to_string(spec.max_processes));
  if (spec.max_memory > 0) argv.push_back("--memory=" + std::to_string(spec.max_memory));
  // Pass our pipes through: podman as a copier loses the last output of an agent that exits early.
  if (is_podman) append(argv, {"--log-driver", "passthrough"});
  append(argv, container_mounts(spec, workspace, host));
  for (const auto& [name, value] : inside) {
    // The marker is not secret, and must not mark podman's own background processes.
    if (is_for_launcher(name) || name == kMarkerName) {
      append(argv, {"--env", fmt::format("{}={}", name, value)});
    } else {
      append(argv, {"--env", name});
      launch.command.environment[name] = value;
    }
  }
  append(argv, spec.unsafe_sandbox_options);
  argv.push_back(spec.image);
  append(argv, init_words(spec, host, 0));  // the container has its own limit
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

std::vector<Mount> sandbox_mounts(const AgentSpec& spec, const fs::path& workspace,
                                  const Environment& own) {
  std::vector<Mount> mounts;
  mounts.reserve(std::size(kSystem) + 16);
  for (const char* directory : kSystem)
    mounts.push_back({.kind = MountKind::kReadOnly,
                      .target = directory,
                      .source = directory,
                      .is_optional = true});
  for (const char* directory : {"/tmp", "/var/tmp"})
    mounts.push_back({.kind = MountKind::kEmpty, .target = directory});
  const fs::path home = bubblewrap_home(spec, own);
  if (has_own_home(spec, own)) {
    mounts.push_back(share(home));
  } else {
    mounts.push_back({.kind = MountKind::kEmpty, .target = home});
    for (const HomePart& part : spec.home_parts)
      if (needs_mount(part, spec)) mounts.push_back(mount_of(part, spec, home, user_home(own)));
    for (const std::string& path : spec.home_paths)
      mounts.push_back({.kind = MountKind::kWritable,
                        .target = without_final_slash(home / path),
                        .source = user_home(own) / path,
                        .is_optional = true});
  }
  for (const std::string& path : spec.sandbox_read)
    mounts.push_back(show(without_final_slash(path)));
  for (const std::string& path : spec.sandbox_write)
    mounts.push_back(share(without_final_slash(path)));
  for (const fs::path& directory : spec.hidden)
    if (is_shown(mounts, directory))
      mounts.push_back({.kind = MountKind::kEmpty, .target = directory});
  for (const fs::path& file : hidden_files(spec))
    if (is_shown(mounts, file) && !is_in_any(spec.hidden, file))
      mounts.push_back({.kind = MountKind::kMasked, .target = file});
  mounts.push_back(share(workspace));
  for (const fs::path& file : hidden_files(spec))
    if (is_within(file, workspace)) mounts.push_back({.kind = MountKind::kMasked, .target = file});
  if (!spec.uploads.empty()) mounts.push_back(show(spec.uploads));
  return mounts;
}

fs::path find_exposure(const AgentSpec& spec, const fs::path& workspace, const Environment& own) {
  std::vector<fs::path> secret = spec.hidden;
  if (!spec.oriel_socket.empty()) secret.push_back(spec.oriel_socket);
  // In a container files can be hidden only in the workspace.
  if (is_container(spec.sandbox)) {
    std::vector<fs::path> shown(spec.sandbox_read.begin(), spec.sandbox_read.end());
    shown.insert(shown.end(), spec.sandbox_write.begin(), spec.sandbox_write.end());
    if (!spec.home.empty()) shown.push_back(spec.home);
    for (const fs::path& path : shown)
      if (holds_any(path, hidden_files(spec))) return path;
    if (!spec.home.empty() && holds_any(spec.home, secret)) return spec.home;
  }
  if (const fs::path home = user_home(own); home.is_absolute() && home != "/")
    secret.push_back(home);
  std::vector<fs::path> shown(spec.sandbox_read.begin(), spec.sandbox_read.end());
  shown.insert(shown.end(), spec.sandbox_write.begin(), spec.sandbox_write.end());
  shown.push_back(workspace);
  for (const fs::path& path : shown)
    if (holds_any(path, secret) || is_hidden(spec, path)) return path;
  if (!spec.home.empty() && is_hidden(spec, spec.home)) return spec.home;
  std::vector<fs::path> writable(spec.sandbox_write.begin(), spec.sandbox_write.end());
  writable.push_back(workspace);
  for (const fs::path& path : writable)
    if (holds_deeper(path, spec.hidden_files)) return path;
  return {};
}

Launch plan_launch(const AgentSpec& spec, const std::vector<std::string>& command,
                   const fs::path& workspace, const Environment& own, const std::string& id,
                   const SandboxHost& host) {
  Environment environment = agent_environment(spec, own);
  environment[std::string(kMarkerName)] = id;
  if (is_container(spec.sandbox)) {
    if (!spec.home.empty()) environment["HOME"] = kHomeInside;
    return container(spec, command, workspace, own, environment, id, host);
  }
  Launch launch;
  launch.command.directory = workspace;
  if (spec.sandbox == SandboxKind::kBubblewrap) {
    launch.is_wrapped = true;
    environment["HOME"] = bubblewrap_home(spec, own).string();
    launch.command.argv = bubblewrap(spec, workspace, own, host);
    append(launch.command.argv, init_words(spec, host, spec.max_processes));
  }
  append(launch.command.argv, command);
  launch.command.environment = std::move(environment);
  return launch;
}

}  // namespace oriel
