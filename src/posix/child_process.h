#pragma once
// A child process and its three pipes.

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <boost/asio/posix/stream_descriptor.hpp>

namespace oriel {

struct ExitStatus {
  int code = 0;    // when it exited
  int signal = 0;  // when a signal ended it

  bool operator==(const ExitStatus&) const = default;
};

// Lives on one shard. An exited child stays a zombie until reap(), so its pid, which is also its
// process group and session, cannot be reused while signals are sent.
class ChildProcess {
 public:
  ChildProcess(asio::any_io_executor shard, Spawned spawned);
  ~ChildProcess();  // kills the group unless reaped
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  // Waits for the exit. One call at a time.
  asio::awaitable<ExitStatus> exited();

  // Signals the process group. Not after reap().
  void signal_group(int signal) const;

  // Call after the exit, once the group needs no more signals.
  void reap();

  // Gives up on a process that survives SIGKILL.
  void abandon();

  asio::posix::stream_descriptor& input() { return input_; }

  asio::posix::stream_descriptor& output() { return output_; }

  asio::posix::stream_descriptor& errors() { return errors_; }

 private:
  pid_t pid_;
  bool is_reaped_ = false;
  asio::posix::stream_descriptor process_;
  asio::posix::stream_descriptor input_;
  asio::posix::stream_descriptor output_;
  asio::posix::stream_descriptor errors_;
};

}  // namespace oriel
