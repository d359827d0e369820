#pragma once
// What the parts of McpBridge share: a call, its limits, and what is said when it fails.

#include "cli/mcp/mcp_bridge.h"

#include <optional>

namespace oriel {

inline constexpr HttpDeadlines kBridgeDeadlines{.connect = std::chrono::seconds(10),
                                                .answer = std::chrono::seconds(60)};

// An error of the way to the server, with what to do about it.
Error away(const ServerAccess& server, Error error);

// One POST and all that answers it; or, without requests, the stream that the session itself has.
struct McpBridge::Call {
  explicit Call(McpLine said) : line(std::move(said)), reply(line.ids) {}

  bool is_stateless() const { return !line.version.empty(); }

  bool is_answered() const { return !line.ids.empty() && reply.is_complete(); }

  McpLine line;
  McpReply reply;
  std::optional<HttpStream> http;
  unsigned session = 0;    // that it belongs to
  std::string session_id;  // that the answer named
  std::string last_id;     // of the events received
  Backoff backoff;
  std::optional<mcp::RpcError> failure;  // it makes no sense to go on
  bool is_sent = false;                  // the server has begun to answer, or will not
  bool is_cancelled = false;
};

}  // namespace oriel
