#pragma once
// For tests that start processes.

#include "posix/process_tree.h"
#include "runtime/asio.h"
#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

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

// The children of this process that still run or were not reaped, orphans included.
inline std::vector<ProcessInfo> own_children_left() {
  std::vector<ProcessInfo> left;
  for (const ProcessInfo& process : list_processes())
    if (process.parent == ::getpid() && process.session != ::getsid(0)) left.push_back(process);
  return left;
}

}  // namespace oriel
