#pragma once
// A cgroup (version 2) that holds everything an agent starts, where this process may make one. A
// process cannot leave it by changing its session, parent or environment.

#include "runtime/asio.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The path after "0::" in /proc/PID/cgroup, and the mount point of cgroup2 in /proc/PID/mountinfo.
// Pure.
std::optional<std::string> parse_cgroup_path(std::string_view cgroup);
std::optional<std::string> parse_cgroup_mount(std::string_view mountinfo);

// The cgroup of this process; empty without cgroups.
std::filesystem::path own_cgroup();

// The parent cgroup of agents: the cgroup of this process, or its parent after
// enable_cgroup_limits(). Empty without cgroups.
std::filesystem::path agent_cgroups();

// Whether child cgroups can limit memory, now or after enable_cgroup_limits(): this one is
// delegated to this user, has the memory controller, and holds no other process.
bool can_limit_memory(const std::filesystem::path& cgroup);

// Enables limits for the cgroups of agents. The kernel requires a parent cgroup without processes,
// so this process moves into a child. Has no effect where that is not possible. Call once, before
// the first agent.
void enable_cgroup_limits();

// Limit the total memory, and the number of processes and threads, of the cgroup. False if that is
// not possible.
bool limit_memory(const std::filesystem::path& cgroup, std::uint64_t bytes);
bool limit_processes(const std::filesystem::path& cgroup, std::uint64_t count);

// Lives on one shard. The destructor removes the cgroup if it is empty.
class Cgroup {
 public:
  // None where cgroups are not delegated to this process.
  static std::unique_ptr<Cgroup> make(const std::string& name);
  ~Cgroup();
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Kills all its processes. Returns whether it is empty, after `limit` at the latest.
  asio::awaitable<bool> end(std::chrono::milliseconds limit);

 private:
  explicit Cgroup(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

// Kills all processes in the cgroup at this path. Returns their number.
std::size_t kill_cgroup(const std::filesystem::path& path);

}  // namespace oriel
