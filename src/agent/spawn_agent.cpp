#include "agent/spawn_agent.h"

#include "posix/program.h"

#include <spdlog/fmt/fmt.h>

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
               .message = fmt::format("the directory '{}' for uploads cannot be made: {}",
                                      spec.uploads.string(), ec.message()),
               .hint = "See that --data-dir may be written."};
}

// Errors that can be detected before the start.
std::optional<Error> find_fault(const AgentSpec& spec, const Launch& launch,
                                const std::filesystem::path& workspace) {
  std::error_code ec;
  if (!workspace.is_absolute() || !std::filesystem::is_directory(workspace, ec))
    return Error{
        .kind = ErrorKind::kDirectoryMissing,
        .message = fmt::format("the workspace '{}' is not a directory", workspace.string()),
        .hint = "Give the absolute path of a directory that exists."};
  if (!spec.home.empty()) std::filesystem::create_directories(spec.home, ec);
  if (ec)
    return Error{
        .kind = ErrorKind::kDirectoryMissing,
        .message =
            fmt::format("the home '{}' cannot be made: {}", spec.home.string(), ec.message()),
        .hint = fmt::format("Set [agents.{}] home to a directory that may be written.", spec.name)};
  if (auto fault = make_uploads(spec)) return fault;
  if (spec.command.empty())
    return Error{.kind = ErrorKind::kProgramMissing,
                 .message = "it has no command",
                 .hint = fmt::format("Set [agents.{}] command.", spec.name)};
  if (is_container(spec.sandbox) && spec.image.empty())
    return Error{.kind = ErrorKind::kImageMissing,
                 .message = "it has no container image",
                 .hint = fmt::format("Set [agents.{}] image.", spec.name)};
  if (is_container(spec.sandbox)) return std::nullopt;  // the program is in the image

  const Result<std::string> program =
      find_program(spec.command.front(), program_path(launch.command.environment));
  if (program) return std::nullopt;
  Error error = program.error();
  if (error.kind == ErrorKind::kProgramMissing)
    error.hint = fmt::format("Install it, or set [agents.{}] command.", spec.name);
  return error;
}

Error about(const AgentSpec& spec, Error error) {
  error.message = fmt::format("agent {}: {}", spec.name, error.message);
  return error;
}

}  // namespace

Result<Spawned> spawn_agent(const AgentSpec& spec, const Launch& launch,
                            const std::filesystem::path& workspace) {
  if (auto fault = find_fault(spec, launch, workspace)) return about(spec, std::move(*fault));
  Result<Spawned> spawned = spawn(launch.command);
  if (spawned) return spawned;
  Error error = spawned.error();
  if (spec.sandbox != SandboxKind::kNone && error.kind == ErrorKind::kProgramMissing) {
    error.kind = ErrorKind::kSandboxMissing;
    error.message = "its sandbox " + error.message;
    error.hint = fmt::format(
        "Install it, set [agents.{0}] sandbox_command, or set [agents.{0}] sandbox = \"none\".",
        spec.name);
  }
  return about(spec, std::move(error));
}

}  // namespace oriel
