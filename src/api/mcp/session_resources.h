#pragma once
// Sessions as MCP resources: oriel://sessions/{id} and oriel://sessions/{id}/events.

#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace oriel {

std::string session_uri(const std::string& session_id);
std::string session_events_uri(const std::string& session_id);
std::string session_turns_uri(const std::string& session_id);
std::string session_tasks_uri(const std::string& session_id);

inline constexpr std::string_view kResourceType = "application/json";
inline constexpr std::string_view kProjectsUri = "oriel://projects";

// The result of resources/read.
boost::json::object resource_text(const mcp::Call& call, std::string text);

// Must outlive the catalog.
class SessionResources {
 public:
  explicit SessionResources(ToolContext& context) : context_(context) {}

  // Adds the templates, the list of the newest sessions that have not ended, and completion of
  // session ids and agents.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> list(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_session(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> read_events(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> complete(mcp::Call& call);

  ToolContext& context_;
};

}  // namespace oriel
