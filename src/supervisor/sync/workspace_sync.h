#pragma once
// Pushes workspaces of sessions to the git remotes of their projects, and restores them from there.

#include "runtime/asio.h"
#include "runtime/blocking_thread.h"
#include "session/session_state.h"
#include "supervisor/sessions/workspace.h"
#include "supervisor/sync/pushed_workspace.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace oriel {

struct SyncPlaces {
  std::filesystem::path repositories;  // Oriel's own, by session; sandboxes do not show them
  std::filesystem::path workspaces;    // that Oriel makes, by session
};

// Whether the workspaces of any project are pushed.
bool any_synced(const std::vector<ProjectSpec>& projects);

// Usable on any shard; one call of a session at a time. Files are read on a thread of its own.
// Calls fail with workspace_failed or git's message, which does not name the remote.
class WorkspaceSync {
 public:
  WorkspaceSync(const std::vector<ProjectSpec>& projects, SyncPlaces places);

  // Whether the session's workspace is pushed: its project has a remote, and Oriel has made the
  // workspace. One that a request has named may have more than the project's files.
  bool covers(const SessionState& session) const;

  // The same wherever the workspace is: a node that is gone may have pushed it.
  bool can_restore(const SessionState& session) const;

  // Commits what has changed, and pushes it to the branch "oriel/<session_id>".
  asio::awaitable<Result<PushedWorkspace>> push(std::string session_id, std::string project_id,
                                                std::string message);

  // Makes the session's workspace of this node as it was pushed, and returns its directory. An
  // older one is kept beside it, under the name "<session_id>.<milliseconds since 1970>".
  asio::awaitable<Result<std::filesystem::path>> restore(std::string session_id,
                                                         std::string project_id,
                                                         PushedWorkspace pushed);

  // Removes a workspace that was restored and that nobody has used, as far as possible.
  asio::awaitable<void> discard(std::string session_id);

  // Removes Oriel's repository of a session; its branch on the remote stays.
  asio::awaitable<void> forget(std::string session_id);

  // The same for all sessions that are unknown. `is_session` is called on another thread.
  asio::awaitable<void> forget_unknown(std::function<bool(const std::string& id)> is_session);

 private:
  const std::string& remote_of(const std::string& project_id) const;
  std::filesystem::path repository_of(const std::string& session_id) const;

  const std::vector<ProjectSpec>& projects_;
  const SyncPlaces places_;
  BlockingThread blocking_;
};

}  // namespace oriel
