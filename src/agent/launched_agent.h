#pragma once
// The processes of one agent: the child, whatever it starts, and what its sandbox needs beside it.

#include "agent/agent_spec.h"
#include "agent/sandbox/connect_proxy.h"
#include "agent/sandbox/oriel_gate.h"
#include "agent/sandbox/sandbox.h"
#include "posix/cgroup.h"
#include "posix/child_process.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Lives on one shard. After start(), also a failed one, end_all() and close() must be awaited
// before destruction.
class LaunchedAgent {
 public:
  struct Grace {
    std::chrono::milliseconds kill;     // after SIGKILL
    std::chrono::milliseconds removal;  // for `podman rm`, `docker rm`
  };

  LaunchedAgent(asio::any_io_executor shard, const AgentSpec& spec) : shard_(shard), spec_(spec) {}

  LaunchedAgent(const LaunchedAgent&) = delete;
  LaunchedAgent& operator=(const LaunchedAgent&) = delete;

  // Errors name what is missing and the remedy.
  Result<void> start(const std::vector<std::string>& command,
                     const std::filesystem::path& workspace);

  bool is_started() const { return child_ != nullptr; }

  ChildProcess& child() { return *child_; }

  // SIGTERM to the agent.
  void ask_to_end();

  // SIGKILL to the agent.
  void kill();

  // Removes the container and kills everything the agent left behind.
  asio::awaitable<void> end_all(Grace grace);

  // Closes the sandbox's ways out.
  asio::awaitable<void> close();

 private:
  Result<SandboxHost> prepare_sandbox(const std::filesystem::path& workspace,
                                      const Environment& own);
  void limit_resources();

  asio::any_io_executor shard_;
  const AgentSpec& spec_;
  std::string id_;                       // marks all its processes
  std::unique_ptr<ConnectProxy> proxy_;  // of its sandbox
  std::unique_ptr<OrielGate> gate_;      // likewise
  std::unique_ptr<Cgroup> cgroup_;       // holds its processes, where there are cgroups
  std::optional<Launch> launch_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace oriel
