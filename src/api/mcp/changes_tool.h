#pragma once
// The MCP tool session_changes: what a session has changed in its workspace.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

namespace oriel {

// Must outlive the catalog.
class ChangesTool {
 public:
  explicit ChangesTool(ToolContext& context) : context_(context) {}

  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> show(mcp::Call& call);

  ToolContext& context_;
};

}  // namespace oriel
