#pragma once
// A call that follows one task of a session to its end: its events go to the client on the call's
// own stream, the agent's questions are put to it as forms, and the result has the final text.

#include "api/mcp/tool_context.h"
#include "api/mcp/watcher.h"
#include "mcp/call.h"
#include "runtime/task_group.h"

#include <boost/json/object.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Which task, and from where on.
struct FollowedTask {
  std::string session_id;
  std::string task_id;
  Sequence after = kNoSequence;             // its events come after this one
  std::vector<std::string> asked = {};      // permissions that the call has put to the client
  std::vector<std::string> put_aside = {};  // and those that the client does not want to decide
};

// How it ended.
struct TaskOutcome {
  std::string text;
  std::string status;       // completed, cancelled or error
  std::string stop_reason;  // the agent's own word, or the status
  std::int64_t last_index = -1;
  boost::json::value usage;  // null: unknown
};

// What a call carries while the client answers a question, and back.
boost::json::object to_kept(const FollowedTask& place);
std::optional<FollowedTask> from_kept(const boost::json::object& kept);

// What a completion says; none if the record is no completion of that task.
std::optional<TaskOutcome> read_completion(const Record& record, const std::string& task_id);

using TaskResult = boost::system::result<TaskOutcome, mcp::RpcError>;

// Lives on its call's shard, as long as the call. The end of the call is not the end of the task.
class McpTask {
 public:
  // A call without an MCP session has no claim.
  McpTask(ToolContext& rooms, mcp::Call& call, FollowedTask place,
          std::unique_ptr<TaskClaim> claim);

  // An error is to be handed on: kMustAsk, when the client has to be asked and come again.
  asio::awaitable<TaskResult> follow();

 private:
  asio::awaitable<TaskResult> follow_events();
  asio::awaitable<std::optional<mcp::RpcError>> handle(RecordPtr record);
  asio::awaitable<std::optional<mcp::RpcError>> on_permission(RecordPtr record);
  asio::awaitable<std::optional<mcp::RpcError>> ask_to_come_again();
  asio::awaitable<void> ask_beside(std::string permission_id);
  asio::awaitable<void> answer(PendingPermission permission, boost::json::object form);
  asio::awaitable<std::vector<PendingPermission>> pending_now();

  void subscribe(Sequence after);
  std::vector<FramePtr> take();
  void show(const RecordPtr& record);
  mcp::SharedMessage payload_of(const RecordPtr& record);
  bool may_ask() const;

  ToolContext& rooms_;
  mcp::Call& call_;
  ShardHub& hub_;
  FollowedTask place_;
  std::unique_ptr<TaskClaim> claim_;
  std::shared_ptr<Subscription> subscription_;
  Condition ready_;
  Sequence read_ = kNoSequence;  // everything up to here was looked at
  Sequence sent_ = kNoSequence;  // everything up to here was sent, by this call or before it
  std::int64_t last_index_ = -1;
  std::uint64_t events_ = 0;
  std::optional<TaskOutcome> outcome_;
  std::map<std::string, std::unique_ptr<TaskGroup>> forms_;  // open ones, by permission
};

}  // namespace oriel
