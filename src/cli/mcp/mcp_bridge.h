#pragma once
// Forwards messages between an MCP client on standard input and output and a server reached by
// HTTP, each exactly once, across broken connections and restarts of the server.

#include "cli/mcp/line_queue.h"
#include "cli/mcp/mcp_forwarder.h"
#include "cli/mcp/mcp_listener.h"
#include "cli/mcp/mcp_session.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <chrono>
#include <functional>
#include <list>
#include <string>

namespace oriel {

// Lives on one thread. take() preserves the order of messages where it matters and runs requests
// concurrently. Messages for the client go to `output`, those for people to `notice`.
class McpBridge {
 public:
  using Notice = std::function<void(const std::string&)>;

  McpBridge(asio::any_io_executor executor, ServerAccess server, LineQueue& output, Notice notice);
  McpBridge(const McpBridge&) = delete;
  McpBridge& operator=(const McpBridge&) = delete;

  // Takes one line of the client. Returns when it is ready for the next.
  asio::awaitable<void> take(std::string text);

  // After the client's last line: waits up to `grace` for pending responses, then ends the session.
  // Call it before destruction.
  asio::awaitable<void> finish(std::chrono::milliseconds grace);

 private:
  McpCallPtr begin(McpLine line);
  McpCallPtr find(const boost::json::value& id) const;
  bool has_pending_requests() const;
  asio::awaitable<void> run(McpCallPtr call);
  asio::awaitable<void> cancel(McpLine line);
  asio::awaitable<void> notify(McpLine line);
  void start_listening();

  Notice notice_;
  LineQueue& output_;
  Condition changed_;  // notified when a call is sent, cancelled or ends, or a session is renewed
  McpSession session_;
  McpForwarder forwarder_;
  McpListener listener_;
  bool is_finishing_ = false;
  std::string stateless_version_;  // from the last line that named one
  std::list<McpCallPtr> calls_;    // not answered yet
  TaskGroup tasks_;
};

}  // namespace oriel
