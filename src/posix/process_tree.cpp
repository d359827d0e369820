#include "posix/process_tree.h"

#include "posix/environment.h"
#include "posix/file_descriptor.h"
#include "posix/own_children.h"
#include "runtime/deadline.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kLookAgain{20};

// Reads at most `limit` bytes: files in /proc have no size. Empty, with errno, if it cannot be
// opened.
std::string read_file(const std::string& path, std::size_t limit) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (!file) return text;
  char piece[4096];
  while (text.size() < limit) {
    const ssize_t size = ::read(file.get(), piece, sizeof piece);
    if (size <= 0) break;
    text.append(piece, static_cast<std::size_t>(size));
  }
  return text;
}

std::string proc_file(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Signals exactly this process, if it still exists. Returns a pidfd that becomes readable at its
// exit.
FileDescriptor send(const ProcessInfo& process, int signal) {
  FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  const auto now = look_up(process.pid);
  if (!handle || !now || now->start_time != process.start_time) return FileDescriptor();
  ::syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0);
  return handle;
}

// Whether it is exiting: its memory is gone already, and with it the marker. The first process of a
// sandbox does so slowly, for it takes all others with it.
bool is_exiting(pid_t pid) {
  char target[1];
  return ::readlink(proc_file(pid, "exe").c_str(), target, sizeof target) < 0 && errno == ENOENT;
}

FamilyTraits traits_of(pid_t leader, const std::string& marker, Strays strays) {
  OwnChildren& children = OwnChildren::of_this_process();
  const auto leader_now = look_up(leader);
  const std::uint64_t start = leader_now ? leader_now->start_time : 0;
  auto is_marked = [&children, marker](pid_t pid) {
    return !children.contains(pid) && (variable_of(pid, kMarkerName) == marker || is_exiting(pid));
  };
  auto is_stray = [&children, leader, start, strays](pid_t pid) {
    if (strays == Strays::kSpare || !children.is_only(leader) || children.contains(pid))
      return false;
    const auto process = look_up(pid);
    return process && process->session != ::getsid(0) && process->start_time >= start;
  };
  return FamilyTraits{.leader = leader,
                      .oriel = ::getpid(),
                      .is_marked = std::move(is_marked),
                      .is_stray = std::move(is_stray)};
}

// Until descriptors are free again, or a process has really gone.
asio::awaitable<void> pause() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kLookAgain);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> wait_for_end(FileDescriptor handle) {
  asio::posix::stream_descriptor process(co_await asio::this_coro::executor, handle.release());
  co_await process.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
}

// Returns when all have ended, or at `until`.
asio::awaitable<void> wait_for_ends(std::vector<FileDescriptor> handles,
                                    std::chrono::steady_clock::time_point until) {
  try {
    for (FileDescriptor& handle : handles) {
      auto end = wait_for_end(std::move(handle));
      co_await with_deadline(until - std::chrono::steady_clock::now(), std::move(end));
    }
  } catch (const TimedOut&) {
  }
}

}  // namespace

std::optional<ProcessInfo> parse_stat(std::string_view stat) {
  // The command name is in parentheses and may contain spaces and parentheses.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == stat.npos) return std::nullopt;
  const auto pid = number<pid_t>(stat.substr(0, std::min(stat.find(' '), stat.size())));
  const std::vector<std::string_view> fields = words(stat.substr(name_end + 1));
  if (!pid || fields.size() < 20) return std::nullopt;
  const auto parent = number<pid_t>(fields[1]);
  const auto group = number<pid_t>(fields[2]);
  const auto session = number<pid_t>(fields[3]);
  const auto threads = number<int>(fields[17]);
  const auto start_time = number<std::uint64_t>(fields[19]);
  if (!parent || !group || !session || !threads || !start_time) return std::nullopt;
  return ProcessInfo{.pid = *pid,
                     .parent = *parent,
                     .group = *group,
                     .session = *session,
                     .state = fields[0].front(),
                     .threads = *threads,
                     .start_time = *start_time};
}

std::optional<ProcessInfo> look_up(pid_t pid) {
  return parse_stat(read_file(proc_file(pid, "stat"), 4096));
}

Result<std::vector<ProcessInfo>> list_processes() {
  const auto unreadable = [](const std::string& problem) {
    return Error{.kind = ErrorKind::kFailed,
                 .message = "cannot read /proc: " + problem,
                 .hint = "raise the limit of open files (ulimit -n)"};
  };
  std::vector<ProcessInfo> all;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ec)) {
    const auto pid = number<pid_t>(entry.path().filename().native());
    if (!pid) continue;
    errno = 0;
    if (const auto process = look_up(*pid)) {
      all.push_back(*process);
    } else if (errno == EMFILE || errno == ENFILE) {  // not a process that has just gone
      return unreadable(std::strerror(errno));
    }
  }
  if (ec) return unreadable(ec.message());
  return all;
}

std::string variable_of(pid_t pid, std::string_view name) {
  constexpr std::size_t kMaxEnvironment = 4 << 20;
  const std::string lines = '\0' + read_file(proc_file(pid, "environ"), kMaxEnvironment) + '\0';
  const std::string wanted = std::string(1, '\0').append(name).append("=");
  const std::size_t begin = lines.find(wanted);
  if (begin == lines.npos) return "";
  return lines.c_str() + begin + wanted.size();
}

std::vector<ProcessInfo> find_family(const std::vector<ProcessInfo>& all,
                                     const FamilyTraits& traits) {
  std::multimap<pid_t, const ProcessInfo*> children;
  std::vector<pid_t> to_visit{traits.leader};
  for (const ProcessInfo& process : all) {
    children.emplace(process.parent, &process);
    if (process.pid == traits.leader || process.pid == traits.oriel) continue;
    const bool is_near = process.session == traits.leader || process.group == traits.leader;
    const bool is_orphan = process.parent == traits.oriel && !process.has_ended();
    if (is_near || (is_orphan && (traits.is_marked(process.pid) || traits.is_stray(process.pid))))
      to_visit.push_back(process.pid);
  }
  std::set<pid_t> members;
  while (!to_visit.empty()) {
    const pid_t pid = to_visit.back();
    to_visit.pop_back();
    if (!members.insert(pid).second) continue;
    const auto [first, last] = children.equal_range(pid);
    for (auto child = first; child != last; ++child)
      to_visit.push_back(child->second->pid);
  }
  members.erase(traits.leader);
  std::vector<ProcessInfo> family;
  for (const ProcessInfo& process : all)
    if (members.contains(process.pid) && !process.has_ended()) family.push_back(process);
  return family;
}

asio::awaitable<std::vector<ProcessInfo>> end_family(pid_t leader, std::string marker,
                                                     Strays strays,
                                                     std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  const FamilyTraits traits = traits_of(leader, marker, strays);
  for (;;) {
    const auto listed = list_processes();
    if (!listed && std::chrono::steady_clock::now() >= until) co_return std::vector<ProcessInfo>();
    if (!listed) {
      co_await pause();
      continue;
    }
    const std::vector<ProcessInfo>& all = *listed;
    std::vector<ProcessInfo> family = find_family(all, traits);
    const auto is_leader = [&](const ProcessInfo& process) { return process.pid == leader; };
    const auto found = std::find_if(all.begin(), all.end(), is_leader);
    if (found != all.end() && !found->has_ended()) family.push_back(*found);
    if (family.empty() || std::chrono::steady_clock::now() >= until) {
      reap_orphans();
      co_return family;
    }
    std::vector<FileDescriptor> handles;
    for (const ProcessInfo& process : family)
      if (FileDescriptor handle = send(process, SIGKILL)) handles.push_back(std::move(handle));
    if (handles.empty()) co_await pause();
    co_await wait_for_ends(std::move(handles), until);
  }
}

void signal_descendants(pid_t leader, int signal) {
  const auto nobody = [](pid_t) { return false; };
  const FamilyTraits traits{
      .leader = leader, .oriel = ::getpid(), .is_marked = nobody, .is_stray = nobody};
  const auto all = list_processes();
  if (!all) return;
  for (const ProcessInfo& process : find_family(*all, traits))
    send(process, signal);
}

void kill_processes(const std::vector<ProcessInfo>& processes) {
  for (const ProcessInfo& process : processes)
    send(process, SIGKILL);
}

void reap_orphans() {
  const pid_t oriel = ::getpid();
  const pid_t session = ::getsid(0);
  const auto all = list_processes();
  if (!all) return;  // it is called again
  // Only other sessions: children of other libraries are not touched.
  for (const ProcessInfo& process : *all)
    if (process.parent == oriel && process.session != session && process.has_ended())
      OwnChildren::of_this_process().reap_adopted(process.pid);
}

}  // namespace oriel
