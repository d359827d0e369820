#pragma once
// Finds and ends everything an agent started, including processes that left its process group,
// session and parent, as tool shells do.

#include "base/error.h"
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

// The environment variable that marks every process of an agent.
constexpr std::string_view kMarkerName = "ORIEL_AGENT_ID";

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = 'R';
  int threads = 1;
  std::uint64_t start_time = 0;  // since boot; pid and start time identify a process uniquely

  // The main thread may exit before the others.
  bool has_ended() const { return (state == 'Z' || state == 'X') && threads <= 1; }

  bool operator==(const ProcessInfo&) const = default;
};

// Parses /proc/PID/stat.
std::optional<ProcessInfo> parse_stat(std::string_view stat);

std::optional<ProcessInfo> look_up(pid_t pid);

// All processes in /proc. Error: kFailed, when it cannot be read, as without free descriptors.
Result<std::vector<ProcessInfo>> list_processes();

// A variable of the initial environment; empty if unset or not readable.
std::string variable_of(pid_t pid, std::string_view name);

// Criteria that identify the processes of one agent.
struct FamilyTraits {
  pid_t leader = 0;                      // the process that Oriel started; not reaped yet
  pid_t oriel = 0;                       // the subreaper: parent of all orphans
  std::function<bool(pid_t)> is_marked;  // carries the agent's marker, or is exiting
  std::function<bool(pid_t)> is_stray;   // an unmarked orphan that only this agent can have started
};

// Running descendants of the leader by parent, group or session, and marked or stray orphans with
// their descendants. Excludes the leader.
std::vector<ProcessInfo> find_family(const std::vector<ProcessInfo>& all,
                                     const FamilyTraits& traits);

// Unmarked orphans that appeared while only this agent ran: daemons with a changed environment
// (kEnd), or background processes of podman (kSpare).
enum class Strays { kEnd, kSpare };

// Kills the leader and its family, including processes started meanwhile. Returns those that have
// not ended after `limit`; none also if /proc could not be read until then.
asio::awaitable<std::vector<ProcessInfo>> end_family(pid_t leader, std::string marker,
                                                     Strays strays,
                                                     std::chrono::milliseconds limit);

// Signals the descendants of `leader`, not the leader itself.
void signal_descendants(pid_t leader, int signal);

// Kills exactly these processes, safe against pid reuse.
void kill_processes(const std::vector<ProcessInfo>& processes);

// Reaps orphans that have exited.
void reap_orphans();

}  // namespace oriel
