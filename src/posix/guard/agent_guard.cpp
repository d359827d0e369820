#include "posix/guard/agent_guard.h"

#include "base/log.h"
#include "posix/own_children.h"
#include "posix/process_marker.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <thread>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kExitLimit{5000};  // from the last descriptor to the exit
constexpr std::chrono::milliseconds kSearchAgain{20};
constexpr int kMaxSearches = 250;
constexpr int kEmptySearches = 3;  // a process may start another one while it is searched for

void ignore_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2})
    std::signal(signal, SIG_IGN);
}

// The pipe becomes standard input. Everything else is closed: files, locks, the terminal.
void keep_only(int pipe) {
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(pipe, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::syscall(SYS_close_range, static_cast<unsigned>(STDERR_FILENO + 1), ~0U, 0U);
  [[maybe_unused]] const int left = ::chdir("/");
}

void wait_for_end_of_input() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {
  }
}

// Its agents count as abandoned once it has ended.
void wait_for_exit(const FileDescriptor& oriel) {
  if (!oriel) return;
  pollfd ended{.fd = oriel.get(), .events = POLLIN, .revents = 0};
  ::poll(&ended, 1, static_cast<int>(kExitLimit.count()));
}

void end_what_is_left() {
  int empty = 0;
  for (int i = 0; i < kMaxSearches && empty < kEmptySearches; ++i) {
    empty = end_abandoned() == 0 ? empty + 1 : 0;
    if (empty < kEmptySearches) std::this_thread::sleep_for(kSearchAgain);
  }
}

[[noreturn]] void guard(int pipe, pid_t oriel) {
  ::setsid();
  ignore_signals();
  ::prctl(PR_SET_NAME, "oriel-guard");
  keep_only(pipe);
  const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, oriel, 0)));
  wait_for_end_of_input();
  wait_for_exit(process);
  end_what_is_left();
  ::_exit(0);
}

}  // namespace

AgentGuard::AgentGuard() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    log()->warn("no process guards the agents: {}", std::strerror(errno));
    return;
  }
  const FileDescriptor read_end(ends[0]);
  alive_ = FileDescriptor(ends[1]);
  const pid_t oriel = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) guard(read_end.get(), oriel);
  if (pid_ < 0) {
    log()->warn("no process guards the agents: {}", std::strerror(errno));
    return;
  }
  OwnChildren::of_this_process().add_helper(pid_);
}

// All agents have been stopped.
AgentGuard::~AgentGuard() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  OwnChildren::of_this_process().reap(pid_);
}

}  // namespace oriel
