#pragma once
// Ends the processes that agents of a killed server left running, and reaps orphaned processes of
// this server's agents when they exit.

#include "runtime/blocking_thread.h"
#include "runtime/task_group.h"

#include <future>

namespace oriel {

// Owned by the supervisor; lives on its shard. Await stop() before destruction.
class OrphanReaper {
 public:
  // Starts at once to end abandoned processes, on a thread of its own.
  OrphanReaper(asio::any_io_executor shard, BlockingThread& blocking);

  // Returns when abandoned processes have ended.
  asio::awaitable<void> start();
  asio::awaitable<void> stop();

 private:
  asio::awaitable<void> reap_periodically();

  asio::any_io_executor shard_;
  BlockingThread& blocking_;
  std::future<std::size_t> abandoned_;
  TaskGroup tasks_;
};

}  // namespace oriel
