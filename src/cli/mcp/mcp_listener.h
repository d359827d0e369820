#pragma once
// The streams that `oriel mcp` keeps open: the session's own, and those of the client's
// subscriptions/listen.

#include "cli/mcp/mcp_forwarder.h"

#include <functional>
#include <string>

namespace oriel {

// Lives on the bridge's thread. Opens a stream again when it ends, as after a restart.
class McpListener {
 public:
  using Notice = std::function<void(const std::string&)>;

  McpListener(McpSession& session, McpForwarder& forwarder, Notice notice)
      : session_(session), forwarder_(forwarder), notice_(std::move(notice)) {}

  // A client's subscriptions/listen, whose request stays open. Ends when the client cancels it, or
  // the server rejects it.
  asio::awaitable<void> follow(McpCallPtr call);

  // Whether the session's own stream is kept open.
  bool is_listening() const { return own_ != nullptr; }

  // Keeps the session's own stream open, across broken connections and sessions. Ends when the
  // server offers none.
  asio::awaitable<void> listen();

  // Has listen() open its stream in the current session.
  void reopen();

 private:
  asio::awaitable<bool> follow_once(McpCallPtr call);
  asio::awaitable<void> keep_open(McpCallPtr call);
  asio::awaitable<bool> listen_once(McpCallPtr call);

  McpSession& session_;
  McpForwarder& forwarder_;
  Notice notice_;
  McpCallPtr own_;  // reads the session's own stream; null: it is not kept open
};

}  // namespace oriel
