#pragma once
// Structured concurrency: every coroutine belongs to a group, which is joined before anything its
// coroutines use is destroyed.

#include "runtime/asio.h"

#include <boost/asio/cancellation_signal.hpp>

#include <list>
#include <string>

namespace oriel {

// Used only on its shard, or before the shards run. An exception other than cancellation is logged
// under the name of its coroutine; the others continue.
class TaskGroup {
 public:
  explicit TaskGroup(asio::any_io_executor shard);
  ~TaskGroup();  // must be empty: join first
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void spawn(std::string name, asio::awaitable<void> task);

  // Requests cancellation: the current wait of each task fails with operation_aborted.
  void cancel();

  // Returns once no task is left.
  asio::awaitable<void> joined();

  std::size_t size() const { return stops_.size(); }

 private:
  asio::any_io_executor shard_;
  asio::steady_timer empty_;
  std::list<asio::cancellation_signal> stops_;
};

}  // namespace oriel
