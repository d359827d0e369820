#pragma once
// Tools that look at sessions and agents, and that end what sessions do.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

namespace oriel {

// Owned by the catalog's owner.
class McpSessionTools {
 public:
  explicit McpSessionTools(ToolContext& rooms) : rooms_(rooms) {}

  // Adds session_list, session_get, session_cancel, session_end and agent_list.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> list(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> get(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> cancel(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> end(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> agents(mcp::Call& call);

  ToolContext& rooms_;
};

}  // namespace oriel
