#include "posix/child_process.h"

#include "posix/own_children.h"

#include <sys/wait.h>

#include <csignal>
#include <system_error>

namespace oriel {
ChildProcess::ChildProcess(asio::any_io_executor shard, Spawned spawned)
    : pid_(spawned.pid),
      process_(shard, spawned.process.release()),
      input_(shard, spawned.input.release()),
      output_(shard, spawned.output.release()),
      errors_(shard, spawned.errors.release()) {
  input_.non_blocking(true);
  output_.non_blocking(true);
  errors_.non_blocking(true);
}

ChildProcess::~ChildProcess() {
  if (is_reaped_) return;
  signal_group(SIGKILL);
  reap();
}

asio::awaitable<ExitStatus> ChildProcess::exited() {
  co_await process_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
  siginfo_t info{};
  // WNOWAIT leaves the zombie in place.
  if (::waitid(P_PIDFD, static_cast<id_t>(process_.native_handle()), &info, WEXITED | WNOWAIT) != 0)
    throw std::system_error(errno, std::generic_category(), "waitid");
  ExitStatus status;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  co_return status;
}

void ChildProcess::signal_group(int signal) const {
  ::kill(-pid_, signal);
}

void ChildProcess::reap() {
  OwnChildren::of_this_process().reap(pid_);
  is_reaped_ = true;
}

void ChildProcess::abandon() {
  OwnChildren::of_this_process().forget(pid_);
  is_reaped_ = true;
}

}  // namespace oriel
