#include "supervisor/observers/agent_process.h"

#include <ctime>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

// Allows for adjustments of the clock.
constexpr std::chrono::seconds kTolerance{2};

WallTime start_of(const ProcessInfo& process) {
  timespec up{};
  clock_gettime(CLOCK_BOOTTIME, &up);
  const auto now = milliseconds(up.tv_sec * 1000 + up.tv_nsec / 1'000'000);
  const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  const auto then = milliseconds(process.start_time * 1000 / ticks);
  return wall_now() - (now - then);
}

std::optional<ProcessInfo> find(std::int64_t pid) {
  auto found = look_up(static_cast<pid_t>(pid));
  if (found && found->has_ended()) found.reset();
  return found;
}

}  // namespace

bool AgentProcess::exists(std::int64_t pid) {
  return find(pid).has_value();
}

Liveness AgentProcess::look(std::optional<std::int64_t> pid, WallTime active_at) {
  if (!pid) return Liveness::kUnknown;
  const auto found = find(*pid);
  return judge(found, found ? start_of(*found) : WallTime{}, active_at);
}

Liveness AgentProcess::judge(const std::optional<ProcessInfo>& found, WallTime started,
                             WallTime active_at) {
  if (!found) return Liveness::kGone;
  const bool is_known = known_ && known_->pid == found->pid;
  if (is_known) return known_->start_time == found->start_time ? Liveness::kAlive : Liveness::kGone;
  if (started > active_at + kTolerance) return Liveness::kGone;
  known_ = found;
  return Liveness::kAlive;
}

}  // namespace oriel
