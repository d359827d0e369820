#pragma once
// The session of `oriel mcp` with the server. It is started by the client's initialize, and again
// by the bridge when the server has lost it.

#include "cli/mcp/mcp_call.h"
#include "cli/mcp/mcp_memory.h"
#include "runtime/condition.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace oriel {

inline constexpr HttpDeadlines kMcpDeadlines{.connect = std::chrono::seconds(10),
                                             .response = std::chrono::seconds(60)};

struct McpSessionEvents {
  std::function<void()> began;    // the first session, or another in place of the last one
  std::function<void()> renewed;  // the lost session's level and subscriptions were repeated in it
};

// Lives on the bridge's thread. Requests are only made here; the caller sends them.
class McpSession {
 public:
  using Notice = std::function<void(const std::string&)>;

  // Notifies `changed` when another session begins. Notices are for people.
  McpSession(ServerAccess server, Condition& changed, Notice notice, McpSessionEvents events);

  bool is_open() const { return memory_.is_open(); }

  // Rises with each session.
  unsigned number() const { return number_; }

  // Takes the result of one of the call's requests.
  void learn(const McpCall& call, const boost::json::object& result);

  // Starts another session if `number` is still the current one. Concurrent calls start one.
  asio::awaitable<Result<void>> renew(unsigned number);

  // Ends it on the server, within a second.
  asio::awaitable<void> end();

  HttpRequest post(const McpLine& line) const;

  // The stream that continues after this event. Empty: the session's own stream.
  HttpRequest stream(std::string_view last_id) const;

  // The error of a server that cannot be reached, with a hint.
  Error unreachable(Error error) const;

 private:
  void begin();
  asio::awaitable<Result<void>> restart();

  ServerAccess server_;
  Condition& changed_;
  Notice notice_;
  McpSessionEvents events_;
  McpMemory memory_;
  unsigned number_ = 0;
  bool is_renewing_ = false;
};

}  // namespace oriel
