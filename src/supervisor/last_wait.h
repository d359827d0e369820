#pragma once
// The end of coroutines that may wait for a shared log, which may be unreachable for long.

#include "runtime/deadline.h"
#include "runtime/task_group.h"

#include <chrono>

namespace oriel {

// What is not stored by then is dropped, as if the process had been killed.
constexpr std::chrono::seconds kLastWait{10};

// Waits for the group. In a cluster, cancels what has not ended in time.
inline asio::awaitable<void> join_last(TaskGroup& tasks, bool is_in_cluster) {
  if (is_in_cluster) {
    try {
      auto joining = tasks.joined();
      co_await with_deadline(kLastWait, std::move(joining));
    } catch (const TimedOut&) {
      tasks.cancel();
    }
  }
  co_await tasks.joined();
}

}  // namespace oriel
