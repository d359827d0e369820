#pragma once
// The house as a whole: builds the rooms in the order in which an event passes them, runs them, and
// shuts them down.

#include "api/feed/event_feed.h"
#include "api/feed/publish_endpoint.h"
#include "api/mcp/mcp_endpoint.h"
#include "api/rest/file_endpoint.h"
#include "api/rest/hook_endpoint.h"
#include "api/rest/import_endpoint.h"
#include "api/rest/new_turn_endpoint.h"
#include "api/rest/session_endpoint.h"
#include "api/rest/session_events_endpoint.h"
#include "api/rest/status_endpoint.h"
#include "api/rest/turn_endpoint.h"
#include "api/session_reader.h"
#include "api/web/page_endpoint.h"
#include "auth/token_access.h"
#include "auth/token_store.h"
#include "http/server.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "runtime/signals.h"
#include "runtime/task_group.h"
#include "server/serve_options.h"

#include <stdexcept>

namespace oriel {

// The options are well formed each, but not together, or not on this machine.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class App {
 public:
  // Listens already. Throws UsageError, or std::runtime_error for what only the machine can refuse.
  explicit App(const ServeOptions& options);

  // Where it listens: "http://127.0.0.1:7433".
  std::string url() const;

  // Serves until SIGINT or SIGTERM, then ends everything in order: no new connections, answers
  // finished, agents ended and their last events passed on, bye to every watcher, journal
  // committed, threads joined. A second signal ends the process at once.
  void run();

 private:
  asio::awaitable<void> serve_until_signal();
  asio::awaitable<void> watch_tokens();

  ServeOptions options_;
  Shards shards_;
  StopSignals signals_;  // caught as soon as the app is there, so that none ends it unprepared
  TokenStore tokens_;
  asio::ip::tcp::endpoint listen_;  // checked against the tokens before anything is opened
  Journal journal_;
  Supervisor supervisor_;
  Hub hub_;
  http::Router router_;
  EventFeed feed_;
  PublishEndpoint publish_;
  SessionEndpoint sessions_;
  HookEndpoint hooks_;
  TurnEndpoint turns_;
  ImportEndpoint import_;
  NewTurnEndpoint new_turns_;
  FileEndpoint files_;
  SessionReader reader_;
  SessionEventsEndpoint session_events_;
  McpEndpoint mcp_;
  PageEndpoint page_;
  TokenAccess access_;
  http::Server server_;
  StatusEndpoint status_;
  BlockingThread blocking_;
  TaskGroup tasks_;  // on the first shard
};

}  // namespace oriel
