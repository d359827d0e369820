#pragma once
// Creates sessions: chooses workspace and agent, and sends the first message.

#include "runtime/blocking_thread.h"
#include "supervisor/changes/workspace_snapshots.h"
#include "supervisor/sessions/session_runners.h"
#include "supervisor/sessions/workspace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct NewSession {
  std::string agent;       // empty: the project's, else the default
  std::string project_id;  // empty: none
  std::string workspace;   // empty: the project's, else a new one
  std::string title;
  std::string message;  // its first; empty: none yet
  std::string request_id;
  std::optional<PermissionMode> permissions;  // none: the agent's own rule
  std::string by = {};                        // the principal; it becomes the owner
  std::string session_id = {};                // of new_session_id(); empty: any
  std::string node = {};                      // that runs it; empty: any
  std::vector<std::string> node_labels = {};  // that its node has; its agent may ask for more
};

// For a caller that needs to know the session before its first event.
std::string new_session_id();

struct CreatedSession {
  SessionSnapshot session;
  std::string task_id;  // of its first message; empty: none
  std::int64_t last_index = -1;
  bool is_repeat = false;
};

// Owned by the supervisor; lives on the first shard.
class SessionCreator {
 public:
  // New workspaces are created below `workspaces`.
  SessionCreator(SessionRegistry& sessions, SessionRunners& runners, const AgentCatalog& agents,
                 const std::vector<ProjectSpec>& projects, std::filesystem::path workspaces,
                 BlockingThread& blocking, WorkspaceSnapshots& snapshots);

  // A request_id that its sender repeats returns the result of the first request. Errors:
  // unknown_agent, too_many_sessions, invalid_workspace, workspace_failed, in_progress, stopping,
  // overtaken (another node was first with this request).
  asio::awaitable<Result<CreatedSession>> create(NewSession wanted);

  // The project of such a session, with settings that the request overrides. Usable on any thread.
  ProjectSpec project_of(const NewSession& wanted) const;

 private:
  asio::awaitable<Result<CreatedSession>> repeat(std::string session_id, NewSession wanted);
  asio::awaitable<Result<CreatedSession>> send_first_message(std::string session_id,
                                                             NewSession wanted);
  asio::awaitable<Result<std::string>> prepare_workspace(std::string session_id,
                                                         ProjectSpec project, CloneKind kind);
  asio::awaitable<void> discard(std::string session_id, ProjectSpec project, CloneKind kind);

  SessionRegistry& sessions_;
  SessionRunners& runners_;
  const AgentCatalog& agents_;
  const std::vector<ProjectSpec>& projects_;
  std::filesystem::path workspaces_;
  BlockingThread& blocking_;
  WorkspaceSnapshots& snapshots_;
};

}  // namespace oriel
