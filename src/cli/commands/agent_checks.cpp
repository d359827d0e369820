#include "cli/commands/agent_checks.h"

#include "agent/agent.h"
#include "agent/known_agents.h"
#include "base/text/ascii.h"
#include "base/text/quantity.h"
#include "posix/cgroup.h"
#include "posix/program.h"
#include "posix/run_program.h"
#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <spdlog/fmt/ranges.h>

#include <algorithm>

namespace oriel {
namespace {

namespace fs = std::filesystem;

Result<ProgramEnd> run_now(std::vector<std::string> words, Environment environment) {
  ProcessSpec command{
      .argv = std::move(words), .environment = std::move(environment), .directory = "/"};
  asio::io_context io(1);
  auto end = asio::co_spawn(io, run_to_end(std::move(command), kCheckLimit), asio::use_future);
  io.run();
  return end.get();
}

Result<std::string> output_now(const std::vector<std::string>& words) {
  auto end = run_now(words, own_environment());
  if (!end) return end.error();
  if (end->status != ExitStatus{}) return program_failed(words.front(), *end);
  return std::move(end->output);
}

// Of a program that was run with --version: none if it may work, even if it does not know
// --version.
std::optional<Error> cannot_run(const std::string& program, const Result<ProgramEnd>& end) {
  if (!end && end.error().kind == ErrorKind::kProgramSlow) return std::nullopt;
  if (!end) return end.error();
  // A shell ends with 126 or 127 if it cannot execute a program or find it.
  const ExitStatus& status = end->status;
  if (status.signal == 0 && status.code != 126 && status.code != 127) return std::nullopt;
  return program_failed(program, *end);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

asio::awaitable<Result<AgentReady>> until_ready(Agent& agent, fs::path workspace) {
  const auto started = co_await agent.start(std::move(workspace), "");
  if (!started) co_return started.error();
  for (;;) {
    const AgentOutput output = co_await agent.next();
    for (const AgentEvent& event : output.events) {
      if (const auto* const ready = std::get_if<AgentReady>(&event)) co_return *ready;
      if (const auto* const refused = std::get_if<AgentRefused>(&event)) co_return refused->error;
    }
    if (output.exit)
      co_return Error{
          .kind = ErrorKind::kExited, .message = "it " + output.exit->describe(), .hint = {}};
  }
}

asio::awaitable<Result<AgentReady>> try_to_start(asio::any_io_executor shard, AgentSpec spec,
                                                 fs::path workspace,
                                                 std::chrono::milliseconds limit) {
  auto adapter = make_adapter(spec.adapter);
  Agent agent(std::move(shard), std::move(spec), std::move(adapter), AgentLimits{});
  Result<AgentReady> ready = Error{.kind = ErrorKind::kTimedOut,
                                   .message = "not ready within " + format_duration(limit),
                                   .hint = "does it run when you start it yourself?"};
  auto starting = until_ready(agent, std::move(workspace));
  try {
    ready = co_await with_deadline(limit, std::move(starting));
  } catch (const TimedOut&) {
    // `ready` holds this error already.
  }
  co_await agent.stop();
  co_return ready;
}

struct SandboxProgram {
  std::string name;
  std::vector<std::string> trial;  // arguments of a command that proves that it works
  std::string install;
  std::string repair;
};

SandboxProgram sandbox_program(SandboxKind kind) {
  if (kind == SandboxKind::kBubblewrap) {
    return {
        .name = "bwrap",
        .trial = {"--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--unshare-pid",
                  "--unshare-net", "true"},
        .install = "apt install bubblewrap, for sandbox = \"bubblewrap\"",
        .repair =
            "bubblewrap 0.8 or newer is needed, and the kernel may forbid user namespaces: sysctl "
            "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns"};
  }
  if (kind == SandboxKind::kPodman) {
    return {.name = "podman",
            .trial = {"version", "--format", "{{.Client.Version}}"},
            .install = "apt install podman, for sandbox = \"podman\"",
            .repair = "see podman info"};
  }
  return {.name = "docker",
          .trial = {"version", "--format", "{{.Server.Version}}"},
          .install = "install Docker, for sandbox = \"docker\"",
          .repair = "is its daemon running, and are you in the group docker?"};
}

std::string describe_network(const NetworkPolicy& policy) {
  if (policy.kind == NetworkKind::kNone) return "connects to nothing";
  if (policy.kind == NetworkKind::kFull) return "connects to other machines, not to this one";
  return "connects to " + (policy.allowed.empty() ? "nothing" : to_string(policy));
}

// What exists of the paths that its sandbox shows.
std::string describe_files(const AgentSpec& agent, const Environment& own) {
  std::vector<std::string> read;
  std::vector<std::string> changed = {"its workspace"};
  const fs::path workspace = "its workspace";
  if (is_container(agent.sandbox)) {
    read.push_back("the image " + agent.image);
    read.insert(read.end(), agent.sandbox_read.begin(), agent.sandbox_read.end());
    if (!agent.home.empty()) changed.push_back(agent.home.string());
    changed.insert(changed.end(), agent.sandbox_write.begin(), agent.sandbox_write.end());
  } else {
    for (const Mount& mount : in_order(sandbox_mounts(agent, workspace, own))) {
      std::error_code ec;
      if (mount.target == workspace || !fs::exists(mount.source, ec)) continue;
      if (mount.kind == MountKind::kReadOnly) read.push_back(mount.target.string());
      if (mount.kind == MountKind::kWritable) changed.push_back(mount.target.string());
    }
  }
  return fmt::format("{}: reads {}; changes {}", name_of(agent.sandbox), fmt::join(read, " "),
                     fmt::join(changed, ", "));
}

// Its program is in the image and can only be checked by starting it.
Finding check_container(const AgentSpec& agent, const std::string& path) {
  const std::string subject = "agent " + agent.name;
  const SandboxProgram sandbox = sandbox_program(agent.sandbox);
  const auto program = find_program(sandbox.name, path);
  if (!program) return broken(subject, "needs " + sandbox.name, sandbox.install);
  return fine(subject, fmt::format("runs in {} with {}", agent.image, *program));
}

}  // namespace

Finding check_agent(const AgentSpec& agent, const std::string& path) {
  const std::string subject = "agent " + agent.name;
  const std::string install = how_to_install(agent.name);
  if (is_container(agent.sandbox)) return check_container(agent, path);
  const auto program = find_program(agent.command.front(), path);
  if (!program) {
    return note(subject, program.error().message,
                install.empty() ? "install it, or correct its command in oriel.toml" : install);
  }
  const auto end = run_now({*program, "--version"}, agent_environment(agent, own_environment()));
  if (const auto problem = cannot_run(*program, end)) {
    return broken(
        subject, "--version: " + first_line(problem->message),
        install.empty() ? "does it run when you start it yourself?" : "reinstall it: " + install);
  }
  const bool has_answered = end && end->status == ExitStatus{};
  const std::string version = has_answered ? first_line(end->output) : "";
  if (version.empty()) return fine(subject, *program + " (does not answer --version)");
  return fine(subject, fmt::format("{} ({})", version, *program));
}

Finding check_reach(const AgentSpec& agent, const Environment& own) {
  const std::string subject = "reach " + agent.name;
  if (agent.sandbox == SandboxKind::kNone)
    return note(subject,
                "no sandbox: everything that you can read, change and connect to, Oriel included",
                fmt::format("set [agents.{}] sandbox = \"bubblewrap\"", agent.name));
  const std::string message =
      fmt::format("{}; {}; {}", describe_files(agent, own), describe_network(agent.network),
                  agent.allow_oriel ? "reads its own session in Oriel" : "does not reach Oriel");
  if (!agent.unsafe_sandbox_options.empty())
    return note(subject, message,
                fmt::format("unsafe_sandbox_options may undo this: {}",
                            fmt::join(agent.unsafe_sandbox_options, " ")));
  return fine(subject, message);
}

std::optional<Finding> check_memory(const AgentSpec& agent, const fs::path& cgroup) {
  if (agent.max_memory == 0) return std::nullopt;
  const std::string subject = "memory " + agent.name;
  const std::string limit = format_bytes(agent.max_memory);
  if (is_container(agent.sandbox))
    return fine(subject, fmt::format("{} at most, by {}", limit, name_of(agent.sandbox)));
  if (can_limit_memory(cgroup)) return fine(subject, limit + " at most, by its cgroup");
  return note(subject,
              limit +
                  " at most in each of its processes, not all together: there is no cgroup for "
                  "Oriel alone",
              "run it as a service with Delegate=yes, or with systemd-run --user --scope "
              "--property=Delegate=yes oriel serve");
}

Finding check_start(const AgentSpec& agent, const fs::path& workspace,
                    std::chrono::milliseconds limit) {
  const std::string subject = "start " + agent.name;
  asio::io_context io(1);
  auto started = asio::co_spawn(io, try_to_start(io.get_executor(), agent, workspace, limit),
                                asio::use_future);
  io.run();
  const auto ready = started.get();
  if (ready)
    return fine(subject, "starts and accepts messages" +
                             (ready->version.empty() ? "" : ": " + ready->version));
  return broken(subject, "does not start: " + in_one_line(ready.error().message),
                ready.error().hint.empty() ? how_to_install(agent.name) : ready.error().hint);
}

Finding check_any_agent(const std::vector<Finding>& agents) {
  const auto count = std::count_if(agents.begin(), agents.end(), [](const Finding& finding) {
    return finding.level == FindingLevel::kFine;
  });
  if (count > 0) return fine("agents", fmt::format("{} can be used", count));
  return broken("agents", "no agent can be used",
                "install one of the agents above; the demo agent comes with oriel");
}

Finding check_sandbox(SandboxKind kind, const std::string& path) {
  const SandboxProgram sandbox = sandbox_program(kind);
  const std::string subject = "sandbox " + sandbox.name;
  const auto program = find_program(sandbox.name, path);
  if (!program) return note(subject, "not installed", sandbox.install);
  std::vector<std::string> words = {*program};
  words.insert(words.end(), sandbox.trial.begin(), sandbox.trial.end());
  const auto trial = output_now(words);
  if (!trial)
    return note(subject, "does not work: " + first_line(trial.error().message), sandbox.repair);
  const std::string version = first_line(*trial);
  return fine(subject, version.empty() ? "works (" + *program + ")"
                                       : fmt::format("{} ({})", version, *program));
}

Finding check_git(const std::string& path) {
  const auto program = find_program("git", path);
  if (!program) {
    return note("git", "not installed",
                "apt install git, for workspaces created from a repository");
  }
  const auto version = output_now({*program, "--version"});
  if (!version) return broken("git", first_line(version.error().message), "reinstall it");
  return fine("git", first_line(*version));
}

}  // namespace oriel
