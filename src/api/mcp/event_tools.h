#pragma once
// MCP tools for a session's events, by polling or pushed, and for answering its permissions.

#include "api/mcp/session_watcher.h"
#include "api/mcp/tool_context.h"
#include "mcp/catalog.h"

#include <chrono>
#include <cstdint>

namespace oriel {

// The watcher of the call's MCP session. Null for a stateless call or an ended session.
std::shared_ptr<SessionWatcher> watcher_of(const mcp::Call& call);

// How long session_events waits for an event if `wait_ms` is requested. Clients give up on a call
// after 60 s, so what was asked in 60 s must be answered sooner.
constexpr std::int64_t kMaxToolWait = 50'000;  // ms
std::chrono::milliseconds tool_wait(std::int64_t wait_ms);

// Must outlive the catalog.
class EventTools {
 public:
  explicit EventTools(ToolContext& context) : context_(context) {}

  // Adds session_events, session_watch, session_unwatch and permission_answer.
  void add_to(mcp::Catalog& catalog);

 private:
  asio::awaitable<mcp::RpcResult> events(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> watch(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> unwatch(mcp::Call& call);
  asio::awaitable<mcp::RpcResult> answer(mcp::Call& call);

  ToolContext& context_;
};

}  // namespace oriel
