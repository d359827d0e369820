#pragma once
// Follows a task for an MCP call until it completes or needs somebody else: sends its events and
// progress on the call's stream, and the agent's permissions as elicitation forms.

#include "api/mcp/session_watcher.h"
#include "api/mcp/task_progress.h"
#include "api/mcp/tool_context.h"
#include "mcp/call.h"
#include "runtime/task_group.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct FollowedTask {
  std::string session_id;
  std::string task_id;
  Sequence after = kNoSequence;         // where to start in the journal
  std::int64_t last_index = -1;         // the client has had the session's events up to this index
  std::vector<std::string> asked = {};  // permissions sent to the client as forms
  WallTime asked_at = {};               // when they were sent
  std::optional<WallTime> works_since = {};  // when the agent began with it, if that is known
};

// How following a task ended.
struct TaskOutcome {
  std::string text;
  TaskEnd status = TaskEnd::kCompleted;
  std::string stop_reason;  // the agent's own reason, or the status
  std::int64_t last_index = -1;
  Usage usage;
  // The task has not ended: it waits for this answer, which the client cannot or will not give.
  std::optional<PendingPermission> unanswered = {};
};

// The state that a stateless client carries from a question to its answer.
boost::json::object to_kept(const FollowedTask& task);
std::optional<FollowedTask> from_kept(const boost::json::object& kept);

// Whether the task is running or queued.
bool is_open(const SessionState& state, const std::string& task_id);

// None if the record is not the completion of that task.
std::optional<TaskOutcome> read_completion(const Record& record, const std::string& task_id);

// Whether the journal still has the completion of that task, after this index of its session.
asio::awaitable<bool> holds_completion(Journal& journal, std::string session_id,
                                       std::string task_id, std::int64_t after_index);

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
  asio::awaitable<std::optional<mcp::RpcError>> begin();
  asio::awaitable<std::optional<mcp::RpcError>> ask_pending();
  asio::awaitable<std::optional<mcp::RpcError>> handle_all(const std::vector<FramePtr>& frames);
  asio::awaitable<std::optional<mcp::RpcError>> handle(RecordPtr record);
  asio::awaitable<std::optional<mcp::RpcError>> on_permission(const SessionEvent& event);
  asio::awaitable<std::optional<mcp::RpcError>> on_asked(std::string permission_id);
  asio::awaitable<std::optional<mcp::RpcError>> ask_by_retry();
  asio::awaitable<void> ask_in_parallel(std::string permission_id);
  asio::awaitable<void> answer(PendingPermission permission, boost::json::object form,
                               std::chrono::milliseconds reading_time);
  asio::awaitable<std::optional<TaskOutcome>> hand_back();
  asio::awaitable<std::vector<PendingPermission>> pending_now();
  asio::awaitable<std::optional<TaskOutcome>> end_that_was_missed();
  asio::awaitable<void> note_session();
  asio::awaitable<void> report_progress();

  void subscribe(Sequence after);
  std::vector<FramePtr> take();
  void show(const RecordPtr& record, const std::string& words);
  void report(const std::string& words, Sequence sequence = kNoSequence);
  void leave_unanswered(const std::string& permission_id);
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
  std::chrono::steady_clock::time_point reported_at_ = std::chrono::steady_clock::now();
  TaskProgress progress_;
  TaskGroup reporting_;
  std::optional<TaskOutcome> outcome_;
  bool has_missed_ = false;              // events were removed before this call read them
  std::vector<std::string> unanswered_;  // permissions that the client cannot or will not answer
  std::map<std::string, std::unique_ptr<TaskGroup>> forms_;  // open forms by permission
};

}  // namespace oriel
