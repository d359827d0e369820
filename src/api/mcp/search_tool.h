#pragma once
// The MCP tool session_search.

#include "api/session_search.h"
#include "mcp/catalog.h"

namespace oriel {

// Must outlive the catalog.
class SearchTool {
 public:
  explicit SearchTool(SessionSearch& search) : search_(search) {}

  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> search(mcp::Call& call);

  SessionSearch& search_;
};

}  // namespace oriel
