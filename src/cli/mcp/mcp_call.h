#pragma once
// A message of an MCP client on its way through the bridge.

#include "cli/mcp/mcp_line.h"
#include "cli/mcp/mcp_reply.h"
#include "cli/mcp/mcp_subscription.h"
#include "client/http_client.h"
#include "client/reconnect.h"

#include <memory>
#include <optional>
#include <string>

namespace oriel {

// One POST and its response; or, without requests, the session's own stream.
struct McpCall {
  explicit McpCall(McpLine sent) : line(std::move(sent)), reply(line.ids) {}

  bool is_stateless() const { return !line.version.empty(); }

  bool is_answered() const { return !line.ids.empty() && reply.is_complete(); }

  McpLine line;
  McpReply reply;
  std::optional<McpSubscription> subscription;  // of subscriptions/listen
  std::optional<HttpStream> http;
  unsigned session = 0;    // it belongs to this one
  std::string session_id;  // named by the response
  std::string last_id;     // of the last event received
  Backoff backoff;
  std::optional<mcp::RpcError> failure;  // if set, the call cannot succeed
  bool has_purge = false;                // reported that messages were lost; until the next one
  bool is_sent = false;                  // the response has started, or will not come
  bool is_cancelled = false;
};

using McpCallPtr = std::shared_ptr<McpCall>;

}  // namespace oriel
