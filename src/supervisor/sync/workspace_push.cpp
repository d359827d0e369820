#include "supervisor/sync/workspace_push.h"

#include "base/log.h"

#include <utility>

namespace oriel {

WorkspacePush::WorkspacePush(asio::any_io_executor shard, Journal& journal, WorkspaceSync& sync,
                             const SessionState& session, OwnerGuard guard, PushListener listener)
    : journal_(journal),
      sync_(sync),
      session_id_(session.session_id),
      project_id_(session.project_id),
      guard_(std::move(guard)),
      listener_(std::move(listener)),
      task_ended_(shard) {
  guard_.stored();  // what a new session's first append adds is there before a task ends
}

void WorkspacePush::task_ended(std::string task_id) {
  if (task_id.empty()) return;
  ended_ = std::move(task_id);
  task_ended_.notify();
}

asio::awaitable<void> WorkspacePush::run() {
  while (true) {
    while (ended_.empty())
      co_await task_ended_.wait();
    co_await listener_.stored();
    std::string task_id = std::exchange(ended_, {});
    const auto pushed = co_await push(std::move(task_id));
    // Another node that owns the session pushes its own workspace.
    if (pushed || pushed.error().kind == ErrorKind::kOvertaken) continue;
    const std::string problem = "the workspace could not be pushed: " + describe(pushed.error());
    log()->warn("session {}: {}", session_id_, problem);
    listener_.on_failure(problem + "; it is tried again after the next task");
  }
}

asio::awaitable<Result<void>> WorkspacePush::push(std::string task_id) {
  auto pushing = sync_.push(session_id_, project_id_, "After the task " + task_id);
  const auto pushed = co_await std::move(pushing);
  if (!pushed) co_return pushed.error();
  if (pushed->commit == last_commit_) co_return Result<void>();
  Proposal proposal;
  proposal.documents.push_back(
      {.key = pushed_document_key(session_id_), .value = to_pushed_document(*pushed)});
  guard_.add_to(proposal);
  auto appending = journal_.append(std::move(proposal));
  const auto stored = co_await std::move(appending);
  if (!stored) co_return stored.error();
  last_commit_ = pushed->commit;
  co_return Result<void>();
}

}  // namespace oriel
