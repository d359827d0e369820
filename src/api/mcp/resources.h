#pragma once
// Sessions as MCP resources: oriel://sessions/{id} and oriel://sessions/{id}/events; and which
// changes of all resources are announced.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"
#include "mcp/change.h"

#include <boost/json/object.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

std::string session_uri(const std::string& session_id);
std::string session_events_uri(const std::string& session_id);
std::string session_turns_uri(const std::string& session_id);
std::string session_tasks_uri(const std::string& session_id);

inline constexpr std::string_view kResourceType = "application/json";  // of all of them
inline constexpr std::string_view kProjectsUri = "oriel://projects";

// The answer to resources/read: one text of JSON.
boost::json::object resource_text(const mcp::Call& call, std::string text);

// Owned by the catalog's owner.
class McpResources {
 public:
  explicit McpResources(ToolContext& rooms) : rooms_(rooms) {}

  // Adds the templates, the list of the newest sessions, and completion of ids and names.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> list(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_session(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_events(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> complete(mcp::Call& call);

  ToolContext& rooms_;
};

// Which changes of resources are to be announced, and when: each at most once in an interval. Pure.
class ChangeLedger {
 public:
  // What is to be announced now; the rest waits for the next tick.
  std::vector<mcp::Change> on_record(const Record& record);

  // What has changed since; empty: no tick is needed until something changes.
  std::vector<mcp::Change> on_tick();

  // True from the first change on, until a tick finds nothing.
  bool needs_tick() const { return needs_tick_; }

 private:
  std::vector<mcp::Change> take();

  std::set<std::string> changed_;  // sessions
  std::set<std::string> turned_;   // sessions whose turns have changed
  bool has_list_changed_ = false;
  bool have_projects_changed_ = false;
  bool needs_tick_ = false;
};

}  // namespace oriel
