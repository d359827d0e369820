#pragma once
// Removes the workspaces that Oriel made for sessions that ended long ago.

#include "runtime/blocking_thread.h"
#include "runtime/task_group.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/workspace.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

// Owned by the supervisor; lives on its shard. Removes only directories of sessions directly below
// `directory`. A worktree is removed by git, if it is clean and on a branch, which stays. Other
// repositories are kept: they may have commits that are nowhere else. At most 5 % of the
// workspaces, or one, are removed in an hour, and none because the clock has jumped.
class WorkspaceRetention {
 public:
  // How far the clock is ahead of the time that can be trusted.
  using ClockAhead = std::function<std::chrono::milliseconds()>;

  // `max_age` is the time since the session ended, or, once it is no longer listed, since its
  // directory was written; 0: no limit.
  WorkspaceRetention(asio::any_io_executor shard, BlockingThread& blocking,
                     SessionRegistry& sessions, const std::vector<ProjectSpec>& projects,
                     std::filesystem::path directory, std::chrono::milliseconds max_age,
                     ClockAhead clock_ahead);

  // Call it when all stored sessions are known.
  void start();
  asio::awaitable<void> stop();

  // One hour's share by this clock. Returns the number of removed workspaces.
  asio::awaitable<std::size_t> remove_old(WallTime now);

 private:
  struct Found {
    std::string session_id;
    WallTime written;
  };

  asio::awaitable<void> remove_hourly();
  WallTime trusted(WallTime now);
  std::vector<Found> list() const;
  bool is_old(const Found& found, WallTime now) const;
  asio::awaitable<bool> remove(std::string session_id);
  asio::awaitable<bool> remove_worktree(std::string directory);

  asio::any_io_executor shard_;
  BlockingThread& blocking_;
  SessionRegistry& sessions_;
  const std::vector<ProjectSpec>& projects_;
  const std::filesystem::path directory_;
  const std::chrono::milliseconds max_age_;
  const ClockAhead clock_ahead_;
  bool is_clock_doubted_ = false;
  std::set<std::string> kept_;  // repositories, until the next start
  TaskGroup tasks_;
};

}  // namespace oriel
