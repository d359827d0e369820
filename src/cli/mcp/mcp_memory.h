#pragma once
// What an MCP client has agreed with the server, to restart a lost session without the client
// noticing. Pure.

#include "base/error.h"
#include "cli/mcp/mcp_line.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class McpMemory {
 public:
  // Remembers the lasting effects of a request, given its result and the session id that the
  // response named.
  void learn(const McpLine& line, const boost::json::object& result, std::string_view session_id);

  // Whether a session was started.
  bool is_open() const { return !version_.empty(); }

  // Empty if the server has no sessions.
  const std::string& session_id() const { return session_id_; }

  // For every request within the session.
  HttpHeaders headers() const;

  // The client's initialize request, to restart the session.
  std::string initialize_request() const;

  // Takes its result. An error if the server now speaks another version than the client expects.
  Result<void> restarted(const boost::json::object& result, std::string_view session_id);

  // The messages to repeat in the new session: initialized, log level, subscriptions.
  std::vector<std::string> messages_to_repeat() const;

 private:
  boost::json::object initialize_params_;
  std::string version_;
  std::string session_id_;
  std::optional<std::string> log_level_;
  std::set<std::string> subscriptions_;
};

}  // namespace oriel
