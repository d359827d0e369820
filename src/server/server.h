#pragma once
// The server as a whole: composes the modules, runs them, and shuts them down.

#include "api/feed/event_feed.h"
#include "api/feed/publish_endpoint.h"
#include "api/mcp/mcp_endpoint.h"
#include "api/rest/audit_endpoint.h"
#include "api/rest/file_endpoint.h"
#include "api/rest/hook_endpoint.h"
#include "api/rest/import_endpoint.h"
#include "api/rest/login_endpoint.h"
#include "api/rest/new_turn_endpoint.h"
#include "api/rest/session_endpoint.h"
#include "api/rest/session_events_endpoint.h"
#include "api/rest/status_endpoint.h"
#include "api/rest/turn_endpoint.h"
#include "api/session_reader.h"
#include "api/web/page_endpoint.h"
#include "auth/authenticator.h"
#include "auth/one_time_codes.h"
#include "auth/token_store.h"
#include "auth/token_uses.h"
#include "http/server.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "posix/descriptors/open_files.h"
#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "runtime/signals.h"
#include "runtime/task_group.h"
#include "server/serve_options.h"
#include "server/space_reserve.h"

#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace oriel {

// Options that are valid on their own, but not together or not on this machine.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Server {
 public:
  // Listens when constructed. Throws UsageError, or std::runtime_error if the machine refuses.
  explicit Server(const ServeOptions& options);

  // "http://127.0.0.1:7433".
  std::string url() const;

  // Calls `on_ready` once requests are answered, and serves until SIGINT or SIGTERM. SIGHUP reads
  // tokens and certificates again, which also happens when their files change. Then shuts down:
  // closes the listener, finishes responses, stops agents and delivers their last events, closes
  // streams, commits the journal, joins threads. A second signal exits at once. Throws, after the
  // same shutdown, what kept it from starting.
  void run(std::function<void()> on_ready);

 private:
  asio::awaitable<void> serve(std::function<void()> on_ready);
  asio::awaitable<void> start();
  asio::awaitable<void> stop();
  asio::awaitable<void> watch_files();
  asio::awaitable<void> reload_at_hangup();
  void reload_files(http::TlsReload when);  // blocks
  void reload_tokens();                     // blocks
  void audit_refused(const http::Route& route, const http::Request& request);

  ServeOptions options_;
  Shards shards_;
  ReservedDescriptors reserved_;  // for the shutdown
  Signals stop_;                  // from the start, so that no signal skips the shutdown
  Signals hangup_;                // likewise, so that none ends the process
  TokenStore tokens_;
  TokenUses token_uses_;
  OneTimeCodes login_links_;
  OneTimeCodes tickets_;
  AuthRefusals auth_refusals_;
  BlockingThread blocking_;                                  // of the token store and the reserve
  std::optional<std::vector<Token>> tokens_before_failure_;  // to read their file; on blocking_
  asio::ip::tcp::endpoint listen_;                           // checked against the tokens first
  SpaceReserve reserve_;
  Journal journal_;
  Supervisor supervisor_;
  AuditLog audit_;
  VisibleSessions visible_sessions_;
  Hub hub_;
  http::Router router_;
  EventFeed feed_;
  PublishEndpoint publish_;
  SessionEndpoint sessions_;
  HookEndpoint hooks_;
  TurnEndpoint turns_;
  ImportEndpoint import_;
  AuditEndpoint audit_endpoint_;
  NewTurnEndpoint new_turns_;
  FileEndpoint files_;
  SessionReader reader_;
  SessionEventsEndpoint session_events_;
  McpEndpoint mcp_;
  PageEndpoint page_;
  LoginEndpoint login_;
  Authenticator access_;
  http::Server http_;
  StatusEndpoint status_;
  TaskGroup tasks_;  // on the first shard
  std::exception_ptr start_failure_;
};

}  // namespace oriel
