#pragma once
// Between an MCP client that speaks in lines and a server that is reached by HTTP: what the one
// says reaches the other once, over cuts of the connection and restarts of the server.

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

// Lives on one thread. Lines that come in are to be given one after the other to take(), which
// keeps their order where it matters and lets requests run side by side; what goes out is pushed
// into `output`, what people should know is told by `notice`.
class McpBridge {
 public:
  using Notice = std::function<void(const std::string&)>;

  McpBridge(asio::any_io_executor executor, ServerAccess server, LineQueue& output, Notice notice);
  ~McpBridge();  // finish() first
  McpBridge(const McpBridge&) = delete;
  McpBridge& operator=(const McpBridge&) = delete;

  // One line of the client. Returns when the next may come.
  asio::awaitable<void> take(std::string text);

  // The client says no more: waits so long for answers that are under way, then ends the session.
  asio::awaitable<void> finish(std::chrono::milliseconds grace);

 private:
  struct Call;
  using CallPtr = std::shared_ptr<Call>;

  CallPtr begin(McpLine line);
  CallPtr find(const boost::json::value& id) const;
  bool is_owing() const;

  asio::awaitable<void> run(CallPtr call);
  asio::awaitable<void> answer(CallPtr call);
  asio::awaitable<Result<HttpAnswer>> post(CallPtr call);
  asio::awaitable<void> follow(CallPtr call);
  asio::awaitable<bool> resume(CallPtr call);
  asio::awaitable<std::string> read_stream(CallPtr call);
  asio::awaitable<void> cancel(McpLine line);
  asio::awaitable<void> tell(McpLine line);

  void start_listening();
  asio::awaitable<void> listen(CallPtr call);
  asio::awaitable<bool> listen_once(CallPtr call);

  asio::awaitable<Result<void>> renew(unsigned session);
  asio::awaitable<Result<void>> begin_again();

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
  unsigned session_ = 0;  // counts the sessions
  bool is_renewing_ = false;
  bool is_finishing_ = false;
  std::string stateless_version_;  // of the last line that named one
  std::list<CallPtr> calls_;       // not answered yet
  CallPtr listener_;               // reads the session's own stream; none: nobody does
  Condition changed_;              // a call is sent or over, a session is renewed
  std::mt19937 random_{std::random_device{}()};
  TaskGroup tasks_;
};

}  // namespace oriel
