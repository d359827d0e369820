#pragma once
// Everything an agent has started, also what left its process group, its session and its parent:
// agents' tool shells do all three.

#include "runtime/asio.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The environment variable that marks every process of one agent, with a value of its own.
constexpr std::string_view kMarkerName = "ORIEL_AGENT_ID";

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = 'R';
  int threads = 1;
  std::uint64_t start_time = 0;  // since boot: with the pid, it names one process for ever

  // The main thread may have ended before the others.
  bool has_ended() const { return (state == 'Z' || state == 'X') && threads <= 1; }

  bool operator==(const ProcessInfo&) const = default;
};

// The text of /proc/PID/stat.
std::optional<ProcessInfo> parse_stat(std::string_view stat);

std::optional<ProcessInfo> look_up(pid_t pid);

// All that /proc shows.
std::vector<ProcessInfo> list_processes();

// A variable that the process was started with; empty when it has none, or may not be looked at.
std::string variable_of(pid_t pid, std::string_view name);

// What is needed to tell one agent's processes from all others.
struct FamilyTraits {
  pid_t leader = 0;                      // the process that Oriel started; not reaped
  pid_t oriel = 0;                       // the parent of all orphans
  std::function<bool(pid_t)> is_marked;  // carries the agent's marker
  std::function<bool(pid_t)> is_stray;   // an orphan that can be nobody else's
};

// The leader's descendants that still run, by their parents, group or session; and the orphans
// among Oriel's children that are marked or stray, with their own descendants. Without the leader.
std::vector<ProcessInfo> find_family(const std::vector<ProcessInfo>& all,
                                     const FamilyTraits& traits);

// Orphans without a marker, of the time of the only agent that runs: daemons that it started with
// another environment, or what podman keeps for all its containers.
enum class Strays { kEnd, kSpare };

// Kills all of the family of `leader`, and what it starts meanwhile, and the leader itself. What
// has not ended after `limit` is returned: the kernel, or another user, holds on to it.
asio::awaitable<std::vector<ProcessInfo>> end_family(pid_t leader, std::string marker,
                                                     Strays strays,
                                                     std::chrono::milliseconds limit);

// Asks the descendants of `leader` to end, but not itself.
void signal_descendants(pid_t leader, int signal);

// Kills exactly these processes, and nobody who has got the number of one since.
void kill_processes(const std::vector<ProcessInfo>& processes);

// Takes the exits of orphans that have ended by themselves.
void reap_orphans();

}  // namespace oriel
