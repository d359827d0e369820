#include "app/program_output.h"

#include "app/quantity.h"

#include <spdlog/fmt/fmt.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostBytes = 64 << 10;

struct Child {
  pid_t pid = -1;
  int output = -1;  // our end
};

Error failed(const std::string& program, const std::string& why) {
  return {.code = "program_failed", .message = program + " " + why, .hint = {}};
}

Result<Child> spawn(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed(words[0], std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Child child{.pid = -1, .output = ends[0]};
  const int problem =
      ::posix_spawn(&child.pid, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (problem == 0) return child;
  ::close(ends[0]);
  return failed(words[0], fmt::format("cannot be started: {}", std::strerror(problem)));
}

int milliseconds_to(Clock::time_point end) {
  const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

// It stays to be waited for: until then nobody else has its pid.
bool ends_before(pid_t pid, Clock::time_point end) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  pollfd wanted{.fd = handle, .events = POLLIN, .revents = 0};
  const bool has_ended = handle >= 0 && ::poll(&wanted, 1, milliseconds_to(end)) == 1;
  ::close(handle);
  return has_ended;
}

// Reads to the end; none when the time is up before it.
std::optional<std::string> read_until(int fd, Clock::time_point end) {
  std::string text;
  std::array<char, 4096> bytes;
  for (;;) {
    const int left = milliseconds_to(end);
    if (left == 0) return std::nullopt;
    pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wanted, 1, left);
    if (ready < 0 && errno != EINTR) return text;
    if (ready <= 0) continue;
    const ssize_t count = ::read(fd, bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
    const std::size_t room = kMostBytes - text.size();
    text.append(bytes.data(),
                std::min(static_cast<std::size_t>(std::max<ssize_t>(count, 0)), room));
  }
}

}  // namespace

Result<std::string> program_output(const std::vector<std::string>& words, milliseconds limit) {
  const auto child = spawn(words);
  if (!child) return child.error();
  const auto end = Clock::now() + limit;
  const auto text = read_until(child->output, end);
  ::close(child->output);
  const bool has_ended = text && ends_before(child->pid, end);
  ::kill(-child->pid, SIGKILL);
  int status = 0;
  ::waitpid(child->pid, &status, 0);
  if (!has_ended) {
    return failed(words[0], fmt::format("did not answer within {}", format_duration(limit)));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return Result<std::string>(boost::system::in_place_value, *text);
  const std::string said = text->substr(0, text->find('\n'));
  const std::string how = WIFEXITED(status)
                              ? fmt::format("ended with code {}", WEXITSTATUS(status))
                              : fmt::format("was ended by signal {}", WTERMSIG(status));
  return failed(words[0], said.empty() ? how : how + ": " + said);
}

}  // namespace oriel
