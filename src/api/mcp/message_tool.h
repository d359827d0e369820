#pragma once
// session_message: starts a session or sends one its next message, and, where the client wants it,
// follows the task to its end.

#include "api/mcp/task_call.h"
#include "api/mcp/tool_context.h"
#include "api/object_reader.h"
#include "mcp/catalog.h"

namespace oriel {

// Owned by the catalog's owner.
class McpMessageTool {
 public:
  explicit McpMessageTool(ToolContext& rooms) : rooms_(rooms) {}

  void add_to(mcp::Catalog& catalog);

 private:
  // A message that was taken, and how its task is to be followed.
  struct Sent {
    FollowedTask place;
    std::int64_t last_index = -1;
    bool is_repeat = false;
    std::unique_ptr<TaskClaim> claim;
  };

  asio::awaitable<mcp::RpcResult> message(mcp::Call& call);
  asio::awaitable<Result<Sent>> start(mcp::Call& call, NewSession wanted, bool is_followed);
  asio::awaitable<Result<Sent>> send(mcp::Call& call, std::string session_id, NewSession wanted,
                                     bool is_followed);
  asio::awaitable<mcp::RpcResult> follow(mcp::Call& call, FollowedTask place,
                                         std::unique_ptr<TaskClaim> claim);
  asio::awaitable<mcp::RpcResult> answer_at_once(Sent sent);
  asio::awaitable<Result<Sequence>> before_task(std::string session_id, std::string task_id,
                                                std::int64_t last_index);

  ToolContext& rooms_;
};

}  // namespace oriel
