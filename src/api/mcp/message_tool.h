#pragma once
// The MCP tool session_message: sends a message to a new or existing session, and follows the task
// if the client wants to wait.

#include "api/mcp/task_follower.h"
#include "api/mcp/tool_context.h"
#include "api/object_reader.h"
#include "mcp/catalog.h"

namespace oriel {

// Must outlive the catalog.
class MessageTool {
 public:
  explicit MessageTool(ToolContext& context) : context_(context) {}

  void add_to(mcp::Catalog& catalog);

 private:
  // An accepted message.
  struct Sent {
    FollowedTask task;
    bool is_repeat = false;
    std::unique_ptr<TaskClaim> claim;
  };

  asio::awaitable<mcp::RpcResult> message(mcp::Call& call);
  asio::awaitable<Result<Sent>> start(mcp::Call& call, NewSession wanted, bool is_followed);
  asio::awaitable<Result<Sent>> send(mcp::Call& call, std::string session_id, NewSession wanted,
                                     bool is_followed);
  bool watch(const mcp::Call& call, const std::string& session_id, bool is_followed,
             Sent& sent) const;
  static void unwatch(const mcp::Call& call, bool is_new, Sent& sent);
  asio::awaitable<mcp::RpcResult> follow(mcp::Call& call, FollowedTask task,
                                         std::unique_ptr<TaskClaim> claim);
  asio::awaitable<mcp::RpcResult> answer_at_once(mcp::Call& call, Sent sent);
  asio::awaitable<Result<Sequence>> before_task(mcp::Call& call, std::string session_id,
                                                std::string task_id, std::int64_t last_index);

  ToolContext& context_;
};

}  // namespace oriel
