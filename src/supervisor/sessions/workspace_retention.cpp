#include "supervisor/sessions/workspace_retention.h"

#include "base/log.h"
#include "base/time.h"
#include "posix/run_program.h"
#include "runtime/keep_running.h"
#include "supervisor/now.h"
#include "supervisor/sessions/git.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kRemoveEvery{1};
constexpr std::size_t kPercentPerHour = 5;
constexpr std::string_view kSessionPrefix = "ses_";

enum class WorkspaceKind { kFiles, kWorktree, kRepository };

// A worktree has a file where a repository has a directory.
WorkspaceKind kind_of(const fs::path& directory) {
  std::error_code ec;
  const fs::file_status git = fs::symlink_status(directory / ".git", ec);
  if (git.type() == fs::file_type::not_found) return WorkspaceKind::kFiles;
  return fs::is_regular_file(git) ? WorkspaceKind::kWorktree : WorkspaceKind::kRepository;
}

// By a program, which a shutdown can end. Links in it are removed, not followed.
asio::awaitable<bool> remove_files(std::string directory) {
  constexpr std::chrono::minutes kLimit{10};
  ProcessSpec command{.argv = {"rm", "-rf", "--one-file-system", "--", directory},
                      .environment = own_environment(),
                      .directory = "/"};
  const auto removed = co_await run_program(std::move(command), kLimit);
  if (!removed)
    log()->warn("cannot remove the workspace {}: {}", directory, removed.error().message);
  co_return removed.has_value();
}

}  // namespace

WorkspaceRetention::WorkspaceRetention(asio::any_io_executor shard, BlockingThread& blocking,
                                       SessionRegistry& sessions,
                                       const std::vector<ProjectSpec>& projects, fs::path directory,
                                       std::chrono::milliseconds max_age, ClockAhead clock_ahead)
    : shard_(shard),
      blocking_(blocking),
      sessions_(sessions),
      projects_(projects),
      directory_(std::move(directory)),
      max_age_(max_age),
      clock_ahead_(std::move(clock_ahead)),
      tasks_(shard) {}

void WorkspaceRetention::start() {
  if (max_age_.count() == 0) return;
  tasks_.spawn("workspaces", keep_running("workspaces", [this] { return remove_hourly(); }));
}

asio::awaitable<void> WorkspaceRetention::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
}

asio::awaitable<void> WorkspaceRetention::remove_hourly() {
  asio::steady_timer timer(shard_);
  while (true) {
    co_await remove_old(now().wall);
    timer.expires_after(kRemoveEvery);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

// Logs when the clock is doubted, and when it no longer is.
WallTime WorkspaceRetention::trusted(WallTime now) {
  const WallTime time = now - clock_ahead_();
  const bool was_doubted = std::exchange(is_clock_doubted_, time != now);
  if (is_clock_doubted_ && !was_doubted) {
    log()->warn(
        "workspaces: the clock is at {}, expected {}; until it is corrected, their age is that by "
        "the expected time",
        format_time(now), format_time(time));
  }
  if (was_doubted && !is_clock_doubted_) log()->info("workspaces: their age is that by the clock");
  return time;
}

asio::awaitable<std::size_t> WorkspaceRetention::remove_old(WallTime now) {
  const WallTime time = trusted(now);
  auto look = [this] { return list(); };
  const std::vector<Found> all = co_await blocking_.run(look);
  const std::size_t share = std::max<std::size_t>(all.size() * kPercentPerHour / 100, 1);
  std::size_t removed = 0;
  for (const Found& found : all) {
    if (removed == share) break;
    if (kept_.contains(found.session_id) || !is_old(found, time)) continue;
    const bool is_removed = co_await remove(found.session_id);
    if (is_removed) ++removed;
    if (!is_removed) kept_.insert(found.session_id);
  }
  if (removed > 0) log()->info("removed {} workspaces of sessions that ended long ago", removed);
  co_return removed;
}

// Blocks.
std::vector<WorkspaceRetention::Found> WorkspaceRetention::list() const {
  std::vector<Found> all;
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, ec)) {
    struct stat info {};

    std::string name = entry.path().filename();
    const bool is_ours = name.starts_with(kSessionPrefix) &&
                         ::lstat(entry.path().c_str(), &info) == 0 && S_ISDIR(info.st_mode);
    if (!is_ours) continue;
    const WallTime written{std::chrono::seconds(info.st_mtime)};
    all.push_back({.session_id = std::move(name), .written = written});
  }
  return all;
}

// A session that has not ended can be resumed.
bool WorkspaceRetention::is_old(const Found& found, WallTime now) const {
  const SessionEntry* const entry = sessions_.find(found.session_id);
  if (entry == nullptr) return found.written + max_age_ <= now;
  if (!sessions_.is_at_home(*entry)) return false;
  const bool has_ended = entry->state->status == SessionStatus::kCompleted && !entry->runner;
  return has_ended && entry->state->updated_at + max_age_ <= now;
}

asio::awaitable<bool> WorkspaceRetention::remove(std::string session_id) {
  const fs::path directory = directory_ / session_id;
  auto look = [directory] { return kind_of(directory); };
  const WorkspaceKind kind = co_await blocking_.run(std::move(look));
  if (kind == WorkspaceKind::kFiles) {
    auto removing = remove_files(directory.string());
    co_return co_await std::move(removing);
  }
  bool is_removed = false;
  if (kind == WorkspaceKind::kWorktree) is_removed = co_await remove_worktree(directory.string());
  if (!is_removed)
    log()->info("the workspace {} is kept: it may have changes that are nowhere else",
                directory.string());
  co_return is_removed;
}

// Git itself keeps one with changes or new files.
asio::awaitable<bool> WorkspaceRetention::remove_worktree(std::string directory) {
  std::vector<std::string> look = {"-C", directory, "symbolic-ref", "--quiet", "HEAD"};
  const auto branch = co_await run_git(std::move(look), std::vector<std::string>());
  if (!branch) co_return false;
  for (const ProjectSpec& project : projects_) {
    const bool is_local = project.repository.starts_with('/');
    if (!is_local) continue;
    const auto filters = co_await git_filters(directory);
    if (!filters) continue;
    std::vector<std::string> remove = {"-C", project.repository, "worktree", "remove", directory};
    std::vector<std::string> overridden = *filters;
    const auto removed = co_await run_git(std::move(remove), std::move(overridden));
    if (removed) co_return true;
  }
  co_return false;
}

}  // namespace oriel
