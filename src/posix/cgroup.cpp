#include "posix/cgroup.h"

#include "posix/file_descriptor.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPollInterval{5};
constexpr const char* kServerCgroup = "oriel-server";  // where this process moves

std::string read_all(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::size_t count_members(const fs::path& path) {
  const std::string pids = read_all(path / "cgroup.procs");
  return static_cast<std::size_t>(std::count(pids.begin(), pids.end(), '\n'));
}

// In one write, as the kernel's files need it. False if there is no such file, or it rejects that.
bool write_setting(const fs::path& file, std::string_view value) {
  const FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return opened &&
         ::write(opened.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

bool lists(const fs::path& file, std::string_view controller) {
  std::istringstream words(read_all(file));
  for (std::string word; words >> word;)
    if (word == controller) return true;
  return false;
}

bool holds_no_other_process(const fs::path& cgroup) {
  const std::string pids = read_all(cgroup / "cgroup.procs");
  return pids.empty() || pids == std::to_string(::getpid()) + "\n";
}

// For the cgroups in this one. Returns whether their memory can be limited.
bool enable_controllers(const fs::path& cgroup) {
  const fs::path enabled = cgroup / "cgroup.subtree_control";
  write_setting(enabled, "+pids");
  return write_setting(enabled, "+memory");
}

}  // namespace

std::optional<std::string> parse_cgroup_path(std::string_view cgroup) {
  std::istringstream lines{std::string(cgroup)};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::/")) return line.substr(3);
  return std::nullopt;
}

std::optional<std::string> parse_cgroup_mount(std::string_view mountinfo) {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    // "ID PARENT DEVICE ROOT MOUNT OPTIONS [FIELD...] - TYPE ...".
    if (line.find(" - cgroup2 ") == line.npos) continue;
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5; ++i)
      words >> word;
    return word;
  }
  return std::nullopt;
}

fs::path own_cgroup() {
  const auto path = parse_cgroup_path(read_all("/proc/self/cgroup"));
  const auto mount = parse_cgroup_mount(read_all("/proc/self/mountinfo"));
  if (!path || !mount) return {};
  return fs::path(*mount) / fs::path(*path).relative_path();
}

fs::path agent_cgroups() {
  const fs::path own = own_cgroup();
  return own.filename() == kServerCgroup ? own.parent_path() : own;
}

bool can_limit_memory(const fs::path& cgroup) {
  const fs::path enabled = cgroup / "cgroup.subtree_control";
  if (cgroup.empty() || ::access(cgroup.c_str(), W_OK) != 0) return false;
  if (lists(enabled, "memory")) return true;
  return ::access(enabled.c_str(), W_OK) == 0 && lists(cgroup / "cgroup.controllers", "memory") &&
         holds_no_other_process(cgroup);
}

void enable_cgroup_limits() {
  const fs::path around = agent_cgroups();
  if (!can_limit_memory(around) || enable_controllers(around)) return;
  const fs::path own = around / kServerCgroup;
  std::error_code ignored;
  fs::create_directory(own, ignored);
  if (!write_setting(own / "cgroup.procs", "0") || enable_controllers(around)) return;
  write_setting(around / "cgroup.procs", "0");
  ::rmdir(own.c_str());
}

bool limit_memory(const fs::path& cgroup, std::uint64_t bytes) {
  return write_setting(cgroup / "memory.max", std::to_string(bytes));
}

bool limit_processes(const fs::path& cgroup, std::uint64_t count) {
  return write_setting(cgroup / "pids.max", std::to_string(count));
}

std::unique_ptr<Cgroup> Cgroup::make(const std::string& name) {
  const fs::path parent = agent_cgroups();
  if (parent.empty()) return nullptr;
  std::unique_ptr<Cgroup> cgroup(new Cgroup(parent / name));
  std::error_code ec;
  if (!fs::create_directory(cgroup->path_, ec) || ec) return nullptr;
  const bool is_usable = ::access((cgroup->path_ / "cgroup.kill").c_str(), W_OK) == 0 &&
                         ::access((cgroup->path_ / "cgroup.procs").c_str(), W_OK) == 0;
  return is_usable ? std::move(cgroup) : nullptr;
}

Cgroup::~Cgroup() {
  ::rmdir(path_.c_str());
}

asio::awaitable<bool> Cgroup::end(std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (count_members(path_) > 0 && std::chrono::steady_clock::now() < until) {
    write_setting(path_ / "cgroup.kill", "1");
    timer.expires_after(kPollInterval);
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return count_members(path_) == 0;
}

std::size_t kill_cgroup(const fs::path& path) {
  const std::size_t members = count_members(path);
  if (members > 0) write_setting(path / "cgroup.kill", "1");
  return members;
}

}  // namespace oriel
