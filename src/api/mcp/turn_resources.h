#pragma once
// Turns, tasks and projects as MCP resources, with the JSON of REST: oriel://sessions/{id}/turns,
// oriel://sessions/{id}/tasks and oriel://projects.

#include "api/mcp/tool_context.h"
#include "base/event/turn_list.h"
#include "mcp/catalog.h"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace oriel {

// The newest turns, with a hint how to read earlier ones.
boost::json::object turns_resource(const std::string& session_id, std::vector<Turn> turns);

// The newest tasks.
boost::json::object tasks_resource(const std::vector<Turn>& turns);

// Must outlive the catalog.
class TurnResources {
 public:
  explicit TurnResources(ToolContext& context) : context_(context) {}

  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> read_turns(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_tasks(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_projects(mcp::Call& call);

  ToolContext& context_;
};

}  // namespace oriel
