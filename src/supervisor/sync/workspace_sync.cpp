#include "supervisor/sync/workspace_sync.h"

#include "supervisor/sync/session_repository.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRepositorySuffix = ".git";

Result<void> made(const fs::path& directory, const std::error_code& problem) {
  if (!problem) return {};
  return Error{.kind = ErrorKind::kWorkspaceFailed,
               .message = "cannot make " + directory.string() + ": " + problem.message(),
               .hint = "check that --data-dir is writable"};
}

// Makes its parents, and removes what an earlier attempt has left. Blocks.
Result<void> prepare(const fs::path& directory) {
  std::error_code ec;
  fs::create_directories(directory.parent_path(), ec);
  if (!ec) fs::remove_all(directory, ec);
  return made(directory, ec);
}

// Moves the clone to its place, and a workspace that is there beside it. Blocks.
Result<void> put_in_place(const fs::path& clone, const fs::path& workspace) {
  std::error_code ec;
  const std::string suffix = "." + std::to_string(unix_milliseconds(wall_now()));
  fs::rename(workspace, workspace.string() + suffix, ec);
  if (ec == std::errc::no_such_file_or_directory) ec.clear();
  if (!ec) fs::rename(clone, workspace, ec);
  return made(workspace, ec);
}

}  // namespace

bool any_synced(const std::vector<ProjectSpec>& projects) {
  return std::any_of(projects.begin(), projects.end(),
                     [](const ProjectSpec& project) { return !project.sync_remote.empty(); });
}

WorkspaceSync::WorkspaceSync(const std::vector<ProjectSpec>& projects, SyncPlaces places)
    : projects_(projects), places_(std::move(places)) {}

bool WorkspaceSync::covers(const SessionState& session) const {
  return can_restore(session) && session.workspace == places_.workspaces / session.session_id;
}

bool WorkspaceSync::can_restore(const SessionState& session) const {
  return !remote_of(session.project_id).empty();
}

asio::awaitable<Result<PushedWorkspace>> WorkspaceSync::push(std::string session_id,
                                                             std::string project_id,
                                                             std::string message) {
  SessionRepository repository(repository_of(session_id), session_id, remote_of(project_id),
                               blocking_);
  PushedWorkspace pushed{.commit = {}, .time = wall_now()};
  fs::path workspace = places_.workspaces / session_id;
  auto committing = repository.commit(std::move(workspace), std::move(message), pushed.time);
  auto commit = co_await std::move(committing);
  if (!commit) co_return commit.error();
  const auto done = co_await repository.push();
  if (!done) co_return done.error();
  pushed.commit = *std::move(commit);
  co_return pushed;
}

asio::awaitable<Result<fs::path>> WorkspaceSync::restore(std::string session_id,
                                                         std::string project_id,
                                                         PushedWorkspace pushed) {
  SessionRepository repository(repository_of(session_id), session_id, remote_of(project_id),
                               blocking_);
  const auto fetched = co_await repository.fetch(std::move(pushed.commit));
  if (!fetched) co_return fetched.error();
  const fs::path clone = places_.workspaces / ("." + session_id);
  auto preparing = [clone] { return prepare(clone); };
  const auto prepared = co_await blocking_.run(std::move(preparing));
  if (!prepared) co_return prepared.error();
  const auto cloned = co_await repository.clone_to(clone);
  if (!cloned) co_return cloned.error();
  const fs::path workspace = places_.workspaces / session_id;
  auto placing = [clone, workspace] { return put_in_place(clone, workspace); };
  const auto placed = co_await blocking_.run(std::move(placing));
  if (!placed) co_return placed.error();
  co_return workspace;
}

asio::awaitable<void> WorkspaceSync::discard(std::string session_id) {
  auto remove = [workspace = places_.workspaces / session_id] {
    std::error_code ignored;
    fs::remove_all(workspace, ignored);
  };
  co_await blocking_.run(std::move(remove));
}

asio::awaitable<void> WorkspaceSync::forget(std::string session_id) {
  auto remove = [repository = repository_of(session_id)] {
    std::error_code ignored;
    fs::remove_all(repository, ignored);
  };
  co_await blocking_.run(std::move(remove));
}

asio::awaitable<void> WorkspaceSync::forget_unknown(
    std::function<bool(const std::string& id)> is_session) {
  auto look = [directory = places_.repositories, is_session = std::move(is_session)] {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
      if (!is_session(entry.path().stem().string())) fs::remove_all(entry.path(), ignored);
    }
  };
  co_await blocking_.run(std::move(look));
}

const std::string& WorkspaceSync::remote_of(const std::string& project_id) const {
  static const std::string kNone;
  for (const ProjectSpec& project : projects_) {
    if (project.id == project_id) return project.sync_remote;
  }
  return kNone;
}

fs::path WorkspaceSync::repository_of(const std::string& session_id) const {
  return places_.repositories / (session_id + std::string(kRepositorySuffix));
}

}  // namespace oriel
