#include "agent/spawn_agent.h"

#include "agent/sandbox/private_home.h"
#include "agent/sandbox/program_files.h"
#include "posix/descriptors/open_directory.h"
#include "posix/program.h"

#include <spdlog/fmt/fmt.h>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace oriel {
namespace {

// A sandbox mounts the directory at its start, so it must exist before the first upload.
std::optional<Error> make_uploads(const AgentSpec& spec) {
  if (spec.uploads.empty() || spec.sandbox == SandboxKind::kNone) return std::nullopt;
  std::error_code ec;
  const bool is_new = std::filesystem::create_directories(spec.uploads, ec);
  if (is_new && !ec)
    std::filesystem::permissions(spec.uploads, std::filesystem::perms::owner_all, ec);
  if (!ec) return std::nullopt;
  return Error{.kind = ErrorKind::kDirectoryMissing,
               .message = fmt::format("cannot create the directory '{}' for uploads: {}",
                                      spec.uploads.string(), ec.message()),
               .hint = "make --data-dir writable"};
}

// A sandbox shows these parts of the home only if they exist.
void make_home_paths(const AgentSpec& spec, const Environment& own) {
  const auto home = own.find("HOME");
  if (spec.sandbox != SandboxKind::kBubblewrap || !spec.home.empty() || home == own.end()) return;
  std::error_code ignored;
  for (const std::string& path : spec.home_paths)
    if (path.ends_with('/'))
      std::filesystem::create_directories(std::filesystem::path(home->second) / path, ignored);
}

// Whether podman and docker can name it; see bind_mount().
bool can_be_mounted(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.find_first_of(",\"") == text.npos || text.find(':') == text.npos;
}

std::optional<Error> find_sandbox_fault(const AgentSpec& spec,
                                        const std::filesystem::path& workspace) {
  const Environment own = own_environment();
  if (const auto exposed = find_exposure(spec, workspace, own); !exposed.empty())
    return Error{.kind = ErrorKind::kInvalidWorkspace,
                 .message = fmt::format(
                     "its sandbox would show '{}', which contains your home, or Oriel's data or "
                     "configuration, or is a part of them",
                     exposed.string()),
                 .hint = "choose a workspace elsewhere, or set sandbox = \"none\""};
  if (is_container(spec.sandbox) && !can_be_mounted(workspace))
    return Error{.kind = ErrorKind::kInvalidWorkspace,
                 .message = fmt::format("'{}' has a colon and a comma or quote: a container cannot "
                                        "mount it",
                                        workspace.string()),
                 .hint = "rename the directory"};
  const std::filesystem::path init =
      spec.sandbox_init.empty() ? find_sandbox_init() : spec.sandbox_init;
  if (::access(init.c_str(), X_OK) != 0)
    return Error{.kind = ErrorKind::kSandboxMissing,
                 .message = fmt::format("its sandbox needs '{}', which is missing", init.string()),
                 .hint = "install oriel-sandbox-init beside oriel"};
  make_home_paths(spec, own);
  if (spec.sandbox != SandboxKind::kBubblewrap) return std::nullopt;
  return prepare_private_home(spec, own);
}

// Errors that can be detected before the start.
std::optional<Error> find_fault(const AgentSpec& spec, const Launch& launch,
                                const std::filesystem::path& workspace) {
  std::error_code ec;
  if (!spec.home.empty()) std::filesystem::create_directories(spec.home, ec);
  if (ec)
    return Error{
        .kind = ErrorKind::kDirectoryMissing,
        .message = fmt::format("cannot create the home '{}': {}", spec.home.string(), ec.message()),
        .hint = fmt::format("set [agents.{}] home to a writable directory", spec.name)};
  if (auto fault = make_uploads(spec)) return fault;
  if (spec.sandbox != SandboxKind::kNone)
    if (auto fault = find_sandbox_fault(spec, workspace)) return fault;
  if (spec.command.empty())
    return Error{.kind = ErrorKind::kProgramMissing,
                 .message = "it has no command",
                 .hint = fmt::format("set [agents.{}] command", spec.name)};
  if (is_container(spec.sandbox) && spec.image.empty())
    return Error{.kind = ErrorKind::kImageMissing,
                 .message = "it has no container image",
                 .hint = fmt::format("set [agents.{}] image", spec.name)};
  if (is_container(spec.sandbox)) return std::nullopt;  // the program is in the image

  const Result<std::string> program =
      find_program(spec.command.front(), program_path(launch.command.environment));
  if (program) return std::nullopt;
  Error error = program.error();
  if (error.kind == ErrorKind::kProgramMissing)
    error.hint = fmt::format("install it, or set [agents.{}] command", spec.name);
  return error;
}

}  // namespace

Error about(const AgentSpec& spec, Error error) {
  error.message = fmt::format("agent {}: {}", spec.name, error.message);
  return error;
}

Result<FileDescriptor> open_workspace(const std::filesystem::path& workspace) {
  FileDescriptor directory = workspace.is_absolute() ? open_directory(workspace) : FileDescriptor();
  const int problem = workspace.is_absolute() ? errno : ENOENT;
  if (directory) return Result<FileDescriptor>(boost::system::in_place_value, std::move(directory));
  if (problem == ELOOP)
    return Error{
        .kind = ErrorKind::kInvalidWorkspace,
        .message = fmt::format("the workspace '{}' now leads through a link to another directory",
                               workspace.string()),
        .hint = "remove the link, or start a new session"};
  if (problem == EMFILE || problem == ENFILE)
    return Error{.kind = ErrorKind::kCannotStart,
                 .message = fmt::format("cannot open the workspace '{}': {}", workspace.string(),
                                        std::strerror(problem)),
                 .hint = "raise ulimit -n of the server"};
  return Error{.kind = ErrorKind::kDirectoryMissing,
               .message = fmt::format("the workspace '{}' is not a directory", workspace.string()),
               .hint = "set it to the absolute path of an existing directory"};
}

Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace,
                            const FileDescriptor& directory) {
  if (auto fault = find_fault(spec, launch, workspace)) return about(spec, std::move(*fault));
  Result<Spawned> spawned = spawn(launch.command, directory);
  if (spawned) return spawned;
  Error error = spawned.error();
  if (spec.sandbox != SandboxKind::kNone && error.kind == ErrorKind::kProgramMissing) {
    error.kind = ErrorKind::kSandboxMissing;
    error.message = "its sandbox " + error.message;
    error.hint = fmt::format(
        "install it, set [agents.{0}] sandbox_command, or set [agents.{0}] sandbox = \"none\"",
        spec.name);
  }
  return about(spec, std::move(error));
}

}  // namespace oriel
