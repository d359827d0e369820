#pragma once
// Tools that look at sessions and agents, and that end what sessions do.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

namespace oriel {

// Owned by the catalog's owner.
class McpSessionTools {
 public:
  explicit McpSessionTools(McpRooms& rooms) : rooms_(rooms) {}

  // Adds session_list, session_get, session_cancel, session_end and agent_list.
  void add_to(McpCatalog& catalog);

 private:
  asio::awaitable<RpcResult> list(McpCall& call);
  asio::awaitable<RpcResult> get(McpCall& call);
  asio::awaitable<RpcResult> cancel(McpCall& call);
  asio::awaitable<RpcResult> end(McpCall& call);
  asio::awaitable<RpcResult> agents(McpCall& call);

  McpRooms& rooms_;
};

}  // namespace oriel
