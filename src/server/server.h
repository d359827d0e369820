#pragma once
// The server as a whole: composes the modules, runs them, and shuts them down.

#include "api/feed/event_feed.h"
#include "api/feed/publish_endpoint.h"
#include "api/mcp/mcp_endpoint.h"
#include "api/rest/audit_endpoint.h"
#include "api/rest/changes_endpoint.h"
#include "api/rest/cluster_endpoint.h"
#include "api/rest/file_endpoint.h"
#include "api/rest/hook_endpoint.h"
#include "api/rest/import_endpoint.h"
#include "api/rest/login_endpoint.h"
#include "api/rest/new_turn_endpoint.h"
#include "api/rest/path_endpoint.h"
#include "api/rest/search_endpoint.h"
#include "api/rest/session_endpoint.h"
#include "api/rest/session_events_endpoint.h"
#include "api/rest/status_endpoint.h"
#include "api/rest/turn_endpoint.h"
#include "api/session_reader.h"
#include "api/session_search.h"
#include "api/web/page_endpoint.h"
#include "auth/authenticator.h"
#include "auth/one_time_codes.h"
#include "auth/token_store.h"
#include "auth/token_uses.h"
#include "cluster/cluster.h"
#include "http/server.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "posix/descriptors/open_files.h"
#include "posix/service/service_manager.h"
#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "runtime/signals.h"
#include "runtime/task_group.h"
#include "search/search_index.h"
#include "server/cluster/link_calls.h"
#include "server/cluster/token_sharing.h"
#include "server/credential_reloader.h"
#include "server/serve_options.h"
#include "server/space_reserve.h"
#include "server/start_gate.h"
#include "server/takeover/handover_socket.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace oriel {

// What is left to do once a server has stopped for a new process.
struct Handover {
  Successor successor;
  http::Listeners listeners;  // copies of those that the new process has
};

class Server {
 public:
  // Listens when constructed, wherever it is not given a listener. Throws UsageError, or
  // std::runtime_error if the machine refuses.
  Server(const ServeOptions& options, const ServiceManager& service,
         http::Listeners listeners = {});

  // "http://127.0.0.1:7433".
  std::string url() const;

  // Calls `on_ready` once requests are answered, and serves until SIGINT or SIGTERM, or until a new
  // process takes over. SIGHUP reads tokens and certificates again, which also happens when their
  // files change. Then shuts down: closes the listener, or keeps it for the new process; finishes
  // responses, stops agents and delivers their last events, closes streams, commits the journal,
  // joins threads. A second signal exits at once. Throws, after the same shutdown, what kept it
  // from starting. Returns the new process, which waits until this object is destroyed.
  std::optional<Handover> run(std::function<void()> on_ready);

 private:
  asio::awaitable<void> serve(std::function<void()> on_ready);
  asio::awaitable<void> start();
  asio::awaitable<void> join_cluster();
  asio::awaitable<void> start_detached();
  asio::awaitable<void> join_later();
  asio::awaitable<void> expect_owners();
  asio::awaitable<void> share_tokens();
  asio::awaitable<void> watch_cluster();
  asio::awaitable<void> stop();
  asio::awaitable<std::optional<Successor>> end_of_service();
  asio::awaitable<void> prepare_handover();
  void listen_for_takeovers();
  Handout handout();
  asio::awaitable<void> watch_files();
  void audit_refused(const http::Route& route, const http::Request& request);
  void audit_changes(std::vector<event::Audit> entries);

  ServeOptions options_;
  const ServiceManager& service_;
  Shards shards_;
  ReservedDescriptors reserved_;  // for the shutdown
  Signals stop_;                  // from the start, so that no signal skips the shutdown
  Signals hangup_;                // likewise, so that none ends the process
  TokenStore tokens_;
  TokenUses token_uses_;
  OneTimeCodes login_links_;
  OneTimeCodes tickets_;
  AuthRefusals auth_refusals_;
  BlockingThread blocking_;         // of the token store and the reserve
  asio::ip::tcp::endpoint listen_;  // checked against the tokens first
  SpaceReserve reserve_;
  std::unique_ptr<Cluster> cluster_;  // null: this server is alone
  Journal journal_;
  std::unique_ptr<TokenSharing> token_sharing_;  // null: this server is alone
  std::unique_ptr<LinkCalls> link_calls_;        // likewise
  SearchIndex search_index_;
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
  ClusterEndpoint cluster_endpoint_;
  NewTurnEndpoint new_turns_;
  FileEndpoint files_;
  PathEndpoint paths_;
  ChangesEndpoint changes_;
  SessionReader reader_;
  SessionEventsEndpoint session_events_;
  SessionSearch search_;
  SearchEndpoint search_endpoint_;
  McpEndpoint mcp_;
  PageEndpoint page_;
  LoginEndpoint login_;
  Authenticator access_;
  StartGate gate_;
  http::Server http_;
  StatusEndpoint status_;
  TaskGroup tasks_;    // on the first shard
  TaskGroup joining_;  // likewise: a detached node joins its cluster
  CredentialReloader reloader_;
  std::unique_ptr<HandoverSocket> takeovers_;  // null: nobody can take over
  std::optional<Successor> successor_;         // it waits for the end of this server
  http::Listeners released_;                   // for the successor
  std::exception_ptr failure_;
};

}  // namespace oriel
