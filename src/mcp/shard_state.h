#pragma once
// The part of an MCP server on one shard: the sessions and tasks that the shard owns, their event
// store, and the stream connections accepted here.

#include "mcp/server_state.h"
#include "mcp/sessions/session.h"
#include "mcp/sessions/sleeping_sessions.h"
#include "mcp/state_saver.h"
#include "mcp/stateless/listeners.h"
#include "mcp/stateless/tasks.h"
#include "mcp/streams/event_store.h"
#include "mcp/streams/stream_connection.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel::mcp {

class StatelessCall;

// The error is for the client, with HTTP status 503.
using OpenedSession = boost::system::result<std::shared_ptr<Session>, RpcError>;

class ShardState {
 public:
  ShardState(Shard& shard, ServerState& server);

  Shard& shard() const { return shard_; }

  ServerState& server() const { return server_; }

  StreamConnections& connections() { return connections_; }

  Listeners& listeners() { return listeners_; }

  Tasks& client_tasks() { return client_tasks_; }

  // Runs a call without a session until it ends or the server stops.
  void run(std::shared_ptr<StatelessCall> call);

  // Calls that outlive their request.
  TaskGroup& running() { return running_; }

  // Fails at the limit of sessions, of all or of this principal.
  OpenedSession open_session(Principal principal, ClientHello hello);

  // Null if it is not open; of whatever principal.
  std::shared_ptr<Session> find_session(std::string_view id) const;

  // Null if it is unknown or belongs to another principal, without distinction.
  std::shared_ptr<Session> find_session(std::string_view id, const Principal& principal) const;

  // The same for one that is not open: opens it again if a restart has ended it, or takes it over
  // from another server.
  asio::awaitable<std::shared_ptr<Session>> reopen_session(std::string id, Principal principal);

  void end_session(Session& session);

  // Another server has taken over what is under this key.
  void release(const std::string& key);

  void announce(const Change& change);

  // Has an entry of the whole server saved. Before start().
  void keep(std::string key, std::string value);

  void start();

  // Takes what the archive has of this shard's sessions, calls and tasks, sessions before their
  // calls; then restored(). Entries may be taken twice.
  void restore(std::vector<ArchiveEntry> entries);
  void restored();

  // Waits until it has taken all that the archive has, at most 5 s: tasks are known then, and
  // sleeping sessions counted.
  asio::awaitable<void> is_restored();

  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  std::size_t open_streams() const { return connections_.size(); }

 private:
  asio::awaitable<void> run_to_end(std::shared_ptr<StatelessCall> call);
  asio::awaitable<void> stop_stateless_calls(std::chrono::milliseconds patience);
  asio::awaitable<void> tick();
  void expire();
  void end_invalid();
  asio::awaitable<std::optional<StoredSession>> read_session(std::string id, Principal principal);
  asio::awaitable<bool> take_over(std::string id, Principal principal);
  std::shared_ptr<Session> wake(StoredSession stored);
  void close(Session& session);

  Shard& shard_;
  ServerState& server_;
  EventStore store_;
  StateSaver saver_;
  StreamConnections connections_;
  std::unordered_map<std::string_view, std::shared_ptr<Session>> sessions_;  // by id
  SleepingSessions sleeping_;
  Condition restoring_;
  std::set<std::shared_ptr<StatelessCall>> stateless_calls_;
  Listeners listeners_;
  Tasks client_tasks_;
  bool is_stopping_ = false;
  TaskGroup ticking_;
  TaskGroup running_;
};

}  // namespace oriel::mcp
