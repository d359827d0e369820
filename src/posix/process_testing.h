#pragma once
// For tests that start processes.

#include "posix/process_tree.h"
#include "runtime/asio.h"
#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <sys/resource.h>

#include <unistd.h>
#include <vector>

namespace oriel {

// Runs a coroutine on an event loop of its own; fails after a minute.
template <class T>
T run_here(asio::awaitable<T> work) {
  asio::io_context io(1);
  auto result =
      asio::co_spawn(io, with_deadline(std::chrono::minutes(1), std::move(work)), asio::use_future);
  io.run();
  return result.get();
}

// While it exists, this process cannot open files.
class DescriptorShortage {
 public:
  DescriptorShortage() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }

  ~DescriptorShortage() { ::setrlimit(RLIMIT_NOFILE, &before_); }

  DescriptorShortage(const DescriptorShortage&) = delete;
  DescriptorShortage& operator=(const DescriptorShortage&) = delete;

 private:
  rlimit before_{};
};

// The children of this process that still run or were not reaped, orphans included.
inline std::vector<ProcessInfo> own_children_left() {
  std::vector<ProcessInfo> left;
  for (const ProcessInfo& process : list_processes().value())
    if (process.parent == ::getpid() && process.session != ::getsid(0)) left.push_back(process);
  return left;
}

}  // namespace oriel
