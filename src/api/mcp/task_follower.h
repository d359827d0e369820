#pragma once
// Follows a task for an MCP call until it completes: sends its events on the call's stream, and the
// agent's permissions as elicitation forms.

#include "api/mcp/session_watcher.h"
#include "api/mcp/tool_context.h"
#include "mcp/call.h"
#include "runtime/task_group.h"

#include <boost/json/object.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct FollowedTask {
  std::string session_id;
  std::string task_id;
  Sequence after = kNoSequence;             // where to start in the journal
  std::vector<std::string> asked = {};      // permissions sent to the client as forms
  std::vector<std::string> put_aside = {};  // permissions that the client dismissed
};

struct TaskOutcome {
  std::string text;
  TaskEnd status = TaskEnd::kCompleted;
  std::string stop_reason;  // the agent's own reason, or the status
  std::int64_t last_index = -1;
  Usage usage;
};

// The state that a stateless client carries from a question to its answer.
boost::json::object to_kept(const FollowedTask& task);
std::optional<FollowedTask> from_kept(const boost::json::object& kept);

// None if the record is not the completion of that task.
std::optional<TaskOutcome> read_completion(const Record& record, const std::string& task_id);

using TaskResult = boost::system::result<TaskOutcome, mcp::RpcError>;

// Lives on the call's shard. Cancelling the call does not cancel the task.
class TaskFollower {
 public:
  // A stateless call has no claim.
  TaskFollower(ToolContext& context, mcp::Call& call, FollowedTask task,
               std::unique_ptr<TaskClaim> claim);

  // Fails with kMustAsk if the client must be asked and repeat the call.
  asio::awaitable<TaskResult> follow();

 private:
  asio::awaitable<TaskResult> follow_events();
  asio::awaitable<std::optional<mcp::RpcError>> handle(RecordPtr record);
  asio::awaitable<std::optional<mcp::RpcError>> on_permission(const SessionEvent& event);
  asio::awaitable<std::optional<mcp::RpcError>> ask_by_retry();
  asio::awaitable<void> ask_in_parallel(std::string permission_id);
  asio::awaitable<void> answer(PendingPermission permission, boost::json::object form);
  asio::awaitable<std::vector<PendingPermission>> pending_now();

  void subscribe(Sequence after);
  std::vector<FramePtr> take();
  void show(const RecordPtr& record, const SessionEvent& event);
  mcp::SharedMessage message_for(const RecordPtr& record);
  bool may_ask() const;

  ToolContext& context_;
  mcp::Call& call_;
  ShardHub& hub_;
  FollowedTask task_;
  std::unique_ptr<TaskClaim> claim_;
  std::shared_ptr<Subscription> subscription_;
  Condition ready_;
  Sequence sent_ = kNoSequence;  // last sequence sent, by this call or before it
  std::int64_t last_index_ = -1;
  std::uint64_t events_ = 0;
  std::optional<TaskOutcome> outcome_;
  std::map<std::string, std::unique_ptr<TaskGroup>> forms_;  // open forms by permission
};

}  // namespace oriel
