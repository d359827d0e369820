#pragma once
// Sends messages of an MCP client to the server and forwards what the server responds.

#include "cli/mcp/line_queue.h"
#include "cli/mcp/mcp_call.h"
#include "cli/mcp/mcp_session.h"
#include "client/sse_parser.h"
#include "runtime/condition.h"

#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kMaxMcpMessageBytes = 64 << 20;

// Lives on the bridge's thread. Each response reaches `output` exactly once, across broken
// connections.
class McpForwarder {
 public:
  using Notice = std::function<void(const std::string&)>;

  // Notifies `changed` when a call is sent.
  McpForwarder(McpSession& session, LineQueue& output, Condition& changed, Notice notice)
      : session_(session), output_(output), changed_(changed), notice_(std::move(notice)) {}

  // Sends the call, and returns when all its requests have their response, or an error.
  asio::awaitable<void> answer(McpCallPtr call);

  // The head of the response. A request in a session that the server has lost was not started: it
  // is sent again in a new one.
  asio::awaitable<Result<HttpResponse>> post(McpCallPtr call);

  // Forwards the rest of a response that is no stream.
  asio::awaitable<void> finish_with(McpCallPtr call, HttpResponse posted);

  // Forwards messages until the response is complete, or the stream ends: then returns the reason.
  asio::awaitable<std::string> read_stream(McpCallPtr call);

  // Responds to the call's open requests with this error, unless it was cancelled.
  void fail(McpCall& call, const mcp::RpcError& error);

  // From now on fail() responds to none.
  void stop_failing() { may_fail_ = false; }

  // Waits before the next attempt, unless the call is cancelled or its session replaced.
  asio::awaitable<void> wait_to_retry(McpCallPtr call);

 private:
  asio::awaitable<void> follow(McpCallPtr call);
  asio::awaitable<bool> resume(McpCallPtr call);
  void take_event(McpCall& call, const SseEvent& event);
  void deliver(McpCall& call, std::string_view message);
  std::chrono::milliseconds next_delay(McpCall& call);

  McpSession& session_;
  LineQueue& output_;
  Condition& changed_;
  Notice notice_;
  bool may_fail_ = true;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace oriel
