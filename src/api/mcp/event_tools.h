#pragma once
// Tools that bring a session's events to the client, by polling or pushed, and that answer the
// agent's questions.

#include "api/mcp/tool_context.h"
#include "api/mcp/watcher.h"
#include "mcp/catalog.h"

namespace oriel {

// Whom the events of watched sessions go to: the client's MCP session. None for a client without
// one, or whose session has ended.
std::shared_ptr<McpWatcher> watcher_of(const mcp::Call& call);

// Owned by the catalog's owner.
class McpEventTools {
 public:
  explicit McpEventTools(ToolContext& rooms) : rooms_(rooms) {}

  // Adds session_events, session_watch, session_unwatch and permission_answer.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> events(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> watch(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> unwatch(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> answer(mcp::Call& call);

  ToolContext& rooms_;
};

}  // namespace oriel
