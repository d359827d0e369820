#include "posix/process_marker.h"

#include "base/id.h"
#include "posix/environment.h"
#include "posix/process_tree.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

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

}  // namespace

std::string make_marker() {
  return maker(prefix(), look_up(::getpid()).value()) + "-" + random_id();
}

std::size_t end_abandoned() {
  const std::vector<ProcessInfo> all = list_processes();
  const std::string ours = prefix();
  std::set<std::string> makers;
  for (const ProcessInfo& process : all)
    makers.insert(maker(ours, process));
  std::vector<ProcessInfo> abandoned;
  for (const ProcessInfo& process : all) {
    const std::string marker = variable_of(process.pid, kMarkerName);
    if (!marker.starts_with(ours)) continue;
    if (!makers.contains(marker.substr(0, marker.rfind('-')))) abandoned.push_back(process);
  }
  kill_processes(abandoned);
  return abandoned.size();
}

}  // namespace oriel
