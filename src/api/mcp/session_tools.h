#pragma once
// MCP tools that list, show, cancel and end sessions.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

namespace oriel {

// Must outlive the catalog.
class SessionTools {
 public:
  explicit SessionTools(ToolContext& context) : context_(context) {}

  // Adds session_list, session_get, session_update, session_cancel, session_end and agent_list.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> list(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> update(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> get(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> cancel(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> end(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> agents(mcp::Call& call);

  ToolContext& context_;
};

}  // namespace oriel
