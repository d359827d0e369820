#pragma once
// A program that runs beside us, and its three pipes.

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <boost/asio/posix/stream_descriptor.hpp>

namespace oriel {

struct ExitStatus {
  int code = 0;    // when it exited
  int signal = 0;  // when a signal ended it

  bool operator==(const ExitStatus&) const = default;
};

// Lives on one shard. What has ended stays a zombie until reap(): so its pid, which names its group
// and its session, means nobody else while we send signals.
class ChildProcess {
 public:
  ChildProcess(asio::any_io_executor shard, Spawned spawned);
  ~ChildProcess();  // kills the group when it was not reaped
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  // The end of the process. One call at a time.
  asio::awaitable<ExitStatus> exited();

  // To its process group; not after reap().
  void signal_group(int signal) const;

  // Once it has ended, and its group needs no more signals.
  void reap();

  // Leaves a process that even SIGKILL does not end to the kernel.
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
