#include "supervisor/observers/agent_process.h"

#include <ctime>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

// Clocks are set now and then.
constexpr std::chrono::seconds kTolerance{2};

WallTime began_at(const ProcessInfo& process) {
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

bool AgentProcess::is_here(std::int64_t pid) {
  return find(pid).has_value();
}

Liveness AgentProcess::look(std::optional<std::int64_t> pid, WallTime heard_at) {
  if (!pid) return Liveness::kUnknown;
  const auto found = find(*pid);
  return judge(found, found ? began_at(*found) : WallTime{}, heard_at);
}

Liveness AgentProcess::judge(const std::optional<ProcessInfo>& found, WallTime began,
                             WallTime heard_at) {
  if (!found) return Liveness::kGone;
  const bool is_known = known_ && known_->pid == found->pid;
  if (is_known) return known_->start_time == found->start_time ? Liveness::kAlive : Liveness::kGone;
  if (began > heard_at + kTolerance) return Liveness::kGone;
  known_ = found;
  return Liveness::kAlive;
}

}  // namespace oriel
