#pragma once
// Conversations as MCP resources: oriel://sessions/{id}/turns, oriel://sessions/{id}/tasks and
// oriel://projects, each as REST shows it.

#include "api/mcp/tool_context.h"
#include "base/turn_list.h"
#include "mcp/catalog.h"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace oriel {

// The newest turns, and how to read the others.
boost::json::object turns_resource(const std::string& session_id, std::vector<Turn> turns);

// The newest tasks.
boost::json::object tasks_resource(const std::vector<Turn>& turns);

// Owned by the catalog's owner.
class McpTurnResources {
 public:
  explicit McpTurnResources(ToolContext& rooms) : rooms_(rooms) {}

  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> read_turns(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_tasks(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_projects(mcp::Call& call);

  ToolContext& rooms_;
};

}  // namespace oriel
