#pragma once
// Shared by the two source files of McpBridge.

#include "cli/mcp/mcp_bridge.h"

#include <optional>

namespace oriel {

inline constexpr HttpDeadlines kBridgeDeadlines{.connect = std::chrono::seconds(10),
                                                .response = std::chrono::seconds(60)};

// The error of a server that cannot be reached, with a hint.
Error unreachable(const ServerAccess& server, Error error);

// One POST and its response; or, without requests, the session's own stream.
struct McpBridge::Call {
  explicit Call(McpLine sent) : line(std::move(sent)), reply(line.ids) {}

  bool is_stateless() const { return !line.version.empty(); }

  bool is_answered() const { return !line.ids.empty() && reply.is_complete(); }

  McpLine line;
  McpReply reply;
  std::optional<HttpStream> http;
  unsigned session = 0;    // it belongs to this one
  std::string session_id;  // named by the response
  std::string last_id;     // of the last event received
  Backoff backoff;
  std::optional<mcp::RpcError> failure;  // if set, the call cannot succeed
  bool is_sent = false;                  // the response has started, or will not come
  bool is_cancelled = false;
};

}  // namespace oriel
