#include "posix/process_marker.h"

#include "base/id.h"
#include "posix/cgroup.h"
#include "posix/environment.h"
#include "posix/process_tree.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <vector>

namespace oriel {
namespace {

// Pids mean something only within one namespace.
std::string prefix() {
  struct stat pids {};

  ::stat("/proc/self/ns/pid", &pids);
  return fmt::format("oriel-{}-", pids.st_ino);
}

std::string maker(std::string_view prefix, const ProcessInfo& process) {
  return fmt::format("{}{}-{}", prefix, process.pid, process.start_time);
}

bool is_abandoned(const std::string& marker, const std::string& ours,
                  const std::set<std::string>& makers) {
  return marker.starts_with(ours) && !makers.contains(marker.substr(0, marker.rfind('-')));
}

// The cgroups of agents have their marker as a name. Returns the number of processes in them.
std::size_t end_abandoned_cgroups(const std::string& ours, const std::set<std::string>& makers) {
  std::size_t ended = 0;
  const std::filesystem::path parent = agent_cgroups();
  if (parent.empty()) return ended;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ec)) {
    if (!is_abandoned(entry.path().filename().string(), ours, makers)) continue;
    ended += kill_cgroup(entry.path());
    ::rmdir(entry.path().c_str());  // fails while a process is still ending; the next start does it
  }
  return ended;
}

}  // namespace

Result<std::string> make_marker() {
  const auto self = look_up(::getpid());
  if (!self)
    return Error{.kind = ErrorKind::kCannotStart,
                 .message = fmt::format("cannot read /proc: {}", std::strerror(errno)),
                 .hint = "raise the limit of open files (ulimit -n)"};
  return Result<std::string>(boost::system::in_place_value,
                             maker(prefix(), *self) + "-" + random_id());
}

std::size_t end_abandoned() {
  const auto listed = list_processes();
  if (!listed) return 0;
  const std::vector<ProcessInfo>& all = *listed;
  const std::string ours = prefix();
  std::set<std::string> makers;
  for (const ProcessInfo& process : all)
    if (!process.has_ended()) makers.insert(maker(ours, process));
  std::vector<ProcessInfo> abandoned;
  for (const ProcessInfo& process : all) {
    const std::string marker = variable_of(process.pid, kMarkerName);
    if (is_abandoned(marker, ours, makers)) abandoned.push_back(process);
  }
  kill_processes(abandoned);
  return abandoned.size() + end_abandoned_cgroups(ours, makers);
}

}  // namespace oriel
