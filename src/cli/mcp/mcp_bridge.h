#pragma once
// Forwards messages between an MCP client on standard input and output and a server reached by
// HTTP, each exactly once, across broken connections and restarts of the server.

#include "cli/mcp/line_queue.h"
#include "cli/mcp/mcp_memory.h"
#include "cli/mcp/mcp_reply.h"
#include "client/reconnect.h"
#include "client/sse_parser.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kMaxMcpMessageBytes = 64 << 20;

// Lives on one thread. take() preserves the order of messages where it matters and runs requests
// concurrently. Messages for the client go to `output`, those for people to `notice`.
class McpBridge {
 public:
  using Notice = std::function<void(const std::string&)>;

  McpBridge(asio::any_io_executor executor, ServerAccess server, LineQueue& output, Notice notice);
  ~McpBridge();  // call finish() first
  McpBridge(const McpBridge&) = delete;
  McpBridge& operator=(const McpBridge&) = delete;

  // Takes one line of the client. Returns when it is ready for the next.
  asio::awaitable<void> take(std::string text);

  // After the client's last line: waits up to `grace` for pending responses, then ends the session.
  asio::awaitable<void> finish(std::chrono::milliseconds grace);

 private:
  struct Call;
  using CallPtr = std::shared_ptr<Call>;

  CallPtr begin(McpLine line);
  CallPtr find(const boost::json::value& id) const;
  bool has_pending_requests() const;

  asio::awaitable<void> run(CallPtr call);
  asio::awaitable<void> answer(CallPtr call);
  asio::awaitable<Result<HttpResponse>> post(CallPtr call);
  asio::awaitable<void> follow(CallPtr call);
  asio::awaitable<bool> resume(CallPtr call);
  asio::awaitable<std::string> read_stream(CallPtr call);
  asio::awaitable<void> cancel(McpLine line);
  asio::awaitable<void> notify(McpLine line);

  void start_listening();
  asio::awaitable<void> listen(CallPtr call);
  asio::awaitable<bool> listen_once(CallPtr call);

  asio::awaitable<Result<void>> renew(unsigned session);
  asio::awaitable<Result<void>> restart_session();

  void begin_session();
  void take_event(Call& call, const SseEvent& event);
  void deliver(Call& call, std::string_view message);
  void fail(Call& call, const mcp::RpcError& error);
  HttpRequest request(const char* method) const;
  HttpRequest post_request(const McpLine& line) const;
  HttpRequest stream_request(const Call& call) const;
  asio::awaitable<void> pause(std::chrono::milliseconds time);

  double random() { return std::uniform_real_distribution<>(0, 1)(random_); }

  ServerAccess server_;
  LineQueue& output_;
  Notice notice_;
  McpMemory memory_;
  unsigned session_ = 0;  // number of the current session
  bool is_renewing_ = false;
  bool is_finishing_ = false;
  std::string stateless_version_;  // from the last line that named one
  std::list<CallPtr> calls_;       // not answered yet
  CallPtr listener_;               // reads the session's own stream, if it is open
  Condition changed_;              // notified when a call is sent or ends, or a session is renewed
  std::mt19937 random_{std::random_device{}()};
  TaskGroup tasks_;
};

}  // namespace oriel
