#pragma once
// `/mcp`: Oriel for MCP clients. What it offers are the tools and resources of this room; how the
// protocol is spoken is the matter of room mcp.

#include "api/mcp/event_tools.h"
#include "api/mcp/message_tool.h"
#include "api/mcp/resources.h"
#include "api/mcp/session_tools.h"
#include "api/mcp/tool_context.h"
#include "api/mcp/turn_resources.h"
#include "mcp/server.h"

namespace oriel {

// Tools, resources and prompts, with all that their handlers use. To be kept where it is.
class McpOffer {
 public:
  McpOffer(ToolContext& rooms, std::string version);
  McpOffer(const McpOffer&) = delete;
  McpOffer& operator=(const McpOffer&) = delete;

  const mcp::Catalog& catalog() const { return catalog_; }

 private:
  McpMessageTool message_;
  McpEventTools events_;
  McpSessionTools sessions_;
  McpResources resources_;
  McpTurnResources turns_;
  mcp::Catalog catalog_;
};

// Must outlive the HTTP server.
class McpEndpoint {
 public:
  McpEndpoint(Shards& shards, Supervisor& supervisor, Journal& journal, Hub& hub,
              SessionReader& reader, mcp::Options options, std::string version);

  // Adds /mcp.
  void add_routes(http::Router& router) { server_.add_routes(router, "/mcp"); }

  // To be called on the first shard, as stop().
  void start();
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  mcp::Counts counts() const { return server_.counts(); }

 private:
  void announce_changes();
  void announce(std::vector<mcp::Change> changes);
  asio::awaitable<void> tick();

  Shards& shards_;
  ToolContext rooms_;
  McpOffer offer_;
  mcp::Server server_;
  ChangeLedger changes_;
  bool is_ticking_ = false;
  std::shared_ptr<Subscription> subscription_;  // to all events, on the first shard
  TaskGroup tasks_;
};

}  // namespace oriel
