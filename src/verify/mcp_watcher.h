#pragma once
// An MCP client that watches sessions: a client session, and its stream of notifications, which it
// resumes across broken connections and restarts of the server. If the server does not know its
// client session any more, it starts another.

#include "client/server_access.h"
#include "client/sse_parser.h"
#include "runtime/asio.h"
#include "verify/verdicts.h"

#include <boost/json/object.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

// Lives on one shard. run() must have ended before destruction.
class McpWatcher {
 public:
  // `sessions` returns the ids of those to watch, and may return more later.
  McpWatcher(ServerAccess server, std::string name,
             std::function<std::vector<std::string>()> sessions);

  // Watches until stop().
  asio::awaitable<void> run();

  void stop();

  // Pushes of all client sessions. The last session has not ended.
  std::vector<PushLog> logs() const;

  // Whether the newest event of a session is still to be pushed.
  bool lacks(const JournalEvent& newest) const;

  std::size_t client_sessions() const { return client_sessions_; }

 private:
  asio::awaitable<bool> initialize();
  asio::awaitable<void> watch_new_sessions();
  asio::awaitable<std::optional<boost::json::object>> call(std::string method,
                                                           boost::json::object params);
  asio::awaitable<void> listen_once();
  HttpRequest request(const std::string& method) const;
  void take(const SseEvent& event);
  PushLog& push_of(const std::string& session_id);
  void forget_client_session();

  ServerAccess server_;
  std::string name_;
  std::function<std::vector<std::string>()> sessions_;
  std::string client_session_;  // Mcp-Session-Id; empty: none
  std::string last_id_;
  std::set<std::string> watched_;
  std::map<std::string, PushLog> current_;  // by session
  std::vector<PushLog> ended_;
  std::size_t client_sessions_ = 0;
  int requests_ = 0;
  HttpStream* stream_ = nullptr;
  bool is_stopping_ = false;
};

}  // namespace oriel
