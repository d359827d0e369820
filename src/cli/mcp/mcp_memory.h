#pragma once
// What a client has agreed with the server, so that a session that the server has forgotten can be
// begun again without its client noticing. Pure.

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
  // The result of a request of the client, and the session that the answer's header named: what of
  // it lasts is remembered.
  void learn(const McpLine& line, const boost::json::object& result, std::string_view session_id);

  // Whether a session was begun.
  bool is_open() const { return !version_.empty(); }

  // None: the server keeps no sessions.
  const std::string& session_id() const { return session_id_; }

  // Of every request within the session.
  HttpHeaders headers() const;

  // The request that begins the session again, with the client's own words.
  std::string begin_again() const;

  // Its result. An error when the server now speaks another version than the client was told.
  Result<void> begun_again(const boost::json::object& result, std::string_view session_id);

  // What is to be said at once in the new session: that the client is ready, its log level, its
  // subscriptions.
  std::vector<std::string> repeat() const;

 private:
  boost::json::object hello_;  // params of the client's initialize
  std::string version_;
  std::string session_id_;
  std::optional<std::string> log_level_;
  std::set<std::string> subscriptions_;
};

}  // namespace oriel
