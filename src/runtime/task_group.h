#pragma once
// Every coroutine belongs to a group, and every group is joined before what its coroutines use is
// destroyed.

#include "runtime/asio.h"

#include <boost/asio/cancellation_signal.hpp>

#include <list>
#include <string>

namespace oriel {

// Owns the coroutines started for one purpose. Used only on its shard (or before the shards run). A
// coroutine that ends with an exception other than cancellation is logged under its name; the
// others go on.
class TaskGroup {
 public:
  explicit TaskGroup(asio::any_io_executor shard);
  ~TaskGroup();  // must be empty: join first
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void spawn(std::string name, asio::awaitable<void> task);

  // Asks every task to end: its current wait fails with operation_aborted.
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
