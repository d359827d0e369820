#pragma once
// /mcp: Oriel's tools, resources and prompts, served by the MCP server library.

#include "api/mcp/change_coalescer.h"
#include "api/mcp/changes_tool.h"
#include "api/mcp/event_tools.h"
#include "api/mcp/journal_archive.h"
#include "api/mcp/message_tool.h"
#include "api/mcp/search_tool.h"
#include "api/mcp/session_resources.h"
#include "api/mcp/session_tools.h"
#include "api/mcp/tool_context.h"
#include "api/mcp/turn_resources.h"
#include "mcp/server.h"

namespace oriel {

// The catalog with the handlers it refers to.
class OrielCatalog {
 public:
  OrielCatalog(ToolContext& context, std::string version);
  OrielCatalog(const OrielCatalog&) = delete;
  OrielCatalog& operator=(const OrielCatalog&) = delete;

  const mcp::Catalog& get() const { return catalog_; }

 private:
  MessageTool message_;
  EventTools events_;
  SessionTools sessions_;
  ChangesTool changes_;
  SearchTool search_;
  SessionResources resources_;
  TurnResources turns_;
  mcp::Catalog catalog_;
};

// What MCP sessions, calls and tasks survive.
enum class McpDurability {
  kNothing,  // the journal is in memory
  kRestart,
};

struct McpArchiveOptions {
  McpDurability durability = McpDurability::kNothing;
  Peers* peers = nullptr;  // of a cluster; null: there is none
};

// Must outlive the HTTP server.
class McpEndpoint {
 public:
  McpEndpoint(Shards& shards, VisibleSessions& sessions, Journal& journal, Hub& hub,
              SessionReader& reader, SessionSearch& search, mcp::Options options,
              const McpArchiveOptions& archive, std::string version, FollowOptions follow);

  // Adds /mcp.
  void add_routes(http::Router& router) { server_.add_routes(router, "/mcp"); }

  // Must be called on the first shard, like stop().
  asio::awaitable<void> start();
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  mcp::Counts counts() const { return server_.counts(); }

 private:
  asio::awaitable<Result<std::string>> answer(std::string request);
  void announce_changes();
  void announce(std::vector<mcp::Change> changes);
  asio::awaitable<void> tick();

  Shards& shards_;
  ToolContext context_;
  OrielCatalog catalog_;
  JournalArchive archive_;
  mcp::Server server_;
  ChangeCoalescer changes_;
  bool is_ticking_ = false;
  std::shared_ptr<Subscription> subscription_;  // to all events, on the first shard
  TaskGroup tasks_;
};

}  // namespace oriel
