#include "processes.h"

#include "temp_dir.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(pid_t pid) {
  return fs::path("/proc") / std::to_string(pid);
}

// Behind the name, which may contain anything: "S 1 ...".
std::string state_of(pid_t pid) {
  const std::string stat = read_file(directory_of(pid) / "stat");
  const std::size_t end = stat.rfind(") ");
  return end == stat.npos ? std::string() : stat.substr(end + 2);
}

bool is_alive(pid_t pid) {
  const std::string state = state_of(pid);
  return !state.empty() && state.front() != 'Z' && state.front() != 'X';
}

bool has_variable(pid_t pid, std::string_view variable) {
  const std::string environment = '\0' + read_file(directory_of(pid) / "environ");
  return environment.find('\0' + std::string(variable) + '\0') != environment.npos;
}

}  // namespace

std::vector<pid_t> processes_with(std::string_view variable) {
  std::vector<pid_t> pids;
  std::error_code problem;
  for (fs::directory_iterator entry("/proc", problem); !problem && entry != fs::end(entry);
       entry.increment(problem)) {
    const std::string name = entry->path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    if (is_number && has_variable(pid, variable) && is_alive(pid)) pids.push_back(pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

pid_t parent_of(pid_t pid) {
  std::istringstream state(state_of(pid));
  char letter = 0;
  pid_t parent = 0;
  state >> letter >> parent;
  return parent;
}

std::string describe_processes(const std::vector<pid_t>& pids) {
  std::string text;
  for (const pid_t pid : pids) {
    std::string words = read_file(directory_of(pid) / "cmdline");
    std::replace(words.begin(), words.end(), '\0', ' ');
    text += std::to_string(pid) + " " + words + "\n";
  }
  return text;
}

}  // namespace oriel
