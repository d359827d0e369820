#include "agent/launched_agent.h"

#include "agent/sandbox/container.h"
#include "agent/sandbox/program_files.h"
#include "agent/spawn_agent.h"
#include "base/log.h"
#include "posix/descriptors/open_directory.h"
#include "posix/descriptors/open_files.h"
#include "posix/process_marker.h"
#include "posix/process_tree.h"

#include <spdlog/fmt/fmt.h>

#include <csignal>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

// For the pipes, the sandbox's sockets and what its end needs; an agent keeps about half of them.
constexpr std::uint64_t kNeededDescriptors = 24;

std::optional<Error> find_descriptor_shortage() {
  const std::uint64_t free = free_descriptors();
  if (free >= kNeededDescriptors) return std::nullopt;
  return Error{.kind = ErrorKind::kCannotStart,
               .message = fmt::format("a start needs {} free file descriptors; {} are free",
                                      kNeededDescriptors, free),
               .hint = "end other sessions, or raise the server's limit of open files (ulimit -n)"};
}

}  // namespace

Result<void> LaunchedAgent::start(const std::vector<std::string>& command,
                                  const std::filesystem::path& workspace) {
  if (auto shortage = find_descriptor_shortage()) return about(spec_, *std::move(shortage));
  auto marker = make_marker();
  if (!marker) return about(spec_, marker.error());
  id_ = *std::move(marker);
  const Environment own = own_environment();
  const auto directory = open_workspace(workspace);
  if (!directory) return about(spec_, directory.error());
  auto host = prepare_sandbox(workspace, own);
  if (!host) return about(spec_, host.error());
  host->workspace_identity = identity_of(*directory);
  launch_ = plan_launch(spec_, command, workspace, own, id_, *host);
  // The processes of a container are not our children: its removal ends them.
  if (!launch_->removal) cgroup_ = Cgroup::make(id_);
  if (cgroup_) launch_->command.cgroup = cgroup_->path();
  limit_resources();
  Result<Spawned> spawned = spawn_agent(spec_, *launch_, workspace, *directory);
  if (!spawned) return spawned.error();
  child_ = std::make_unique<ChildProcess>(shard_, std::move(*spawned));
  return {};
}

// A container has its own limits. Without a cgroup, memory is limited by what each process may
// write. The address space is no measure: JavaScript engines reserve far more of it than they use.
void LaunchedAgent::limit_resources() {
  if (launch_->removal) return;
  const bool has_process_limit = spec_.sandbox != SandboxKind::kNone && spec_.max_processes > 0;
  if (cgroup_ && has_process_limit) limit_processes(cgroup_->path(), spec_.max_processes);
  if (spec_.max_memory == 0) return;
  if (cgroup_ && limit_memory(cgroup_->path(), spec_.max_memory)) return;
  launch_->command.max_data = spec_.max_memory;
  log()->warn(
      "agent {}: max_memory limits each of its processes, not all together: Oriel has no cgroup "
      "for it; see oriel doctor",
      spec_.name);
}

// Opens the sandbox's ways out and looks for what its plan needs.
Result<SandboxHost> LaunchedAgent::prepare_sandbox(const std::filesystem::path& workspace,
                                                   const Environment& own) {
  SandboxHost host;
  if (spec_.sandbox == SandboxKind::kNone) return host;
  host.init = spec_.sandbox_init.empty() ? find_sandbox_init() : spec_.sandbox_init;
  if (spec_.sandbox == SandboxKind::kBubblewrap) {
    host.program_files =
        find_program_files(spec_.command, program_path(agent_environment(spec_, own)),
                           sandbox_mounts(spec_, workspace, own));
    // The user's keys. Not every kernel has them.
    for (const char* file : {"/proc/keys", "/proc/key-users"})
      if (::access(file, F_OK) == 0) host.masked.emplace_back(file);
  }
  if (spec_.network.kind != NetworkKind::kNone) {
    auto proxy = ConnectProxy::open(shard_, spec_.network, spec_.oriel_port, {});
    if (!proxy) return proxy.error();
    proxy_ = *std::move(proxy);
    host.handover = proxy_->handover();
  }
  if (spec_.allow_oriel && spec_.oriel_port != 0) {
    auto gate = OrielGate::open(shard_, spec_.oriel_port, {});
    if (!gate) return gate.error();
    gate_ = *std::move(gate);
    host.oriel_handover = gate_->handover();
  }
  return host;
}

void LaunchedAgent::ask_to_end() {
  if (launch_->is_wrapped) {
    signal_descendants(child_->pid(), SIGTERM);
  } else {
    child_->signal_group(SIGTERM);
  }
}

void LaunchedAgent::kill() {
  child_->signal_group(SIGKILL);
}

asio::awaitable<void> LaunchedAgent::end_all(Grace grace) {
  if (launch_->removal) co_await remove_container(*launch_->removal, grace.removal);
  kill();
  const Strays strays = launch_->removal ? Strays::kSpare : Strays::kEnd;
  const auto left = co_await end_family(child_->pid(), id_, strays, grace.kill);
  for (const ProcessInfo& process : left)
    log()->error("agent {}: process {} does not end", spec_.name, process.pid);
  if (!cgroup_) co_return;
  const bool is_empty = co_await cgroup_->end(grace.kill);
  if (!is_empty) log()->error("agent {}: not all its processes end", spec_.name);
  reap_orphans();
}

asio::awaitable<void> LaunchedAgent::close() {
  if (proxy_) co_await proxy_->stop();
  if (gate_) co_await gate_->stop();
}

}  // namespace oriel
