#pragma once
// Saves the state of one shard's sessions, calls and tasks after it has changed: what changes while
// a save is under way is saved together by the next.

#include "mcp/archive.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace oriel::mcp {

// Lives on its shard. Failed saves are repeated every second, with a log line for the first.
class StateSaver {
 public:
  using Value = std::function<std::string()>;  // read when it is saved

  // `archive` may be null: nothing is saved.
  StateSaver(asio::any_io_executor shard, Archive* archive);

  bool is_enabled() const { return archive_ != nullptr; }

  void start();

  // The number of the change, for saved().
  std::uint64_t mark(std::string key, Value value);
  std::uint64_t remove(std::string key);

  // Waits until this change is saved, at most 5 s, and not while saving fails.
  asio::awaitable<void> saved(std::uint64_t change);

  // Saves the rest, at most for `patience`, and ends: later changes are not saved.
  asio::awaitable<void> stop(std::chrono::milliseconds patience);

 private:
  using Changes = std::map<std::string, Value>;  // by key

  asio::awaitable<void> run();
  asio::awaitable<bool> save(const Changes& changes);
  asio::awaitable<void> saved_by(std::uint64_t change,
                                 std::chrono::steady_clock::time_point deadline);
  bool has_failed(const Result<void>& saved);

  asio::any_io_executor shard_;
  Archive* archive_;
  Changes changed_;
  std::uint64_t marked_ = 0;  // changes, ever
  std::uint64_t saved_ = 0;
  bool is_failing_ = false;
  bool is_stopped_ = false;
  Condition work_;
  Condition progress_;
  TaskGroup running_;
};

}  // namespace oriel::mcp
