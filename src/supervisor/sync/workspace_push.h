#pragma once
// Pushes the workspace of one session after each of its tasks.

#include "journal/journal.h"
#include "runtime/condition.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/sync/workspace_sync.h"

#include <functional>
#include <string>

namespace oriel {

struct PushListener {
  std::function<asio::awaitable<void>()> stored;     // returns when all events are stored
  std::function<void(std::string text)> on_failure;  // a sentence for people
};

// Lives on its session's shard. Tasks that end during a push share the next one. A push that fails
// is repeated after the next task.
class WorkspacePush {
 public:
  // `guard` is that of the session's appends.
  WorkspacePush(asio::any_io_executor shard, Journal& journal, WorkspaceSync& sync,
                const SessionState& session, OwnerGuard guard, PushListener listener);

  // Returns at once. Empty: none has.
  void task_ended(std::string task_id);

  // Pushes until it is cancelled.
  asio::awaitable<void> run();

 private:
  asio::awaitable<Result<void>> push(std::string task_id);

  Journal& journal_;
  WorkspaceSync& sync_;
  const std::string session_id_;
  const std::string project_id_;
  OwnerGuard guard_;
  PushListener listener_;
  std::string ended_;        // the newest task that is not pushed; empty: none
  std::string last_commit_;  // that this process has recorded
  Condition task_ended_;
};

}  // namespace oriel
