#pragma once
// The part of an MCP server on one shard: the sessions and tasks that the shard owns, their event
// store, and the stream connections accepted here.

#include "mcp/server_state.h"
#include "mcp/sessions/session.h"
#include "mcp/stateless/listeners.h"
#include "mcp/stateless/tasks.h"
#include "mcp/streams/event_store.h"
#include "mcp/streams/stream_connection.h"
#include "runtime/task_group.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace oriel::mcp {

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

  // Calls that outlive their request.
  TaskGroup& running() { return running_; }

  // Fails at the limit of sessions, of all or of this principal.
  OpenedSession open_session(Principal principal, ClientHello hello);

  // Null if it is unknown or belongs to another principal, without distinction.
  std::shared_ptr<Session> find_session(std::string_view id, const Principal& principal);

  void end_session(Session& session);

  void announce(const Change& change);

  void start();
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  std::size_t open_streams() const { return connections_.size(); }

 private:
  asio::awaitable<void> tick();
  void expire();
  void end_invalid();

  Shard& shard_;
  ServerState& server_;
  EventStore store_;
  StreamConnections connections_;
  std::unordered_map<std::string_view, std::shared_ptr<Session>> sessions_;  // by id
  Listeners listeners_;
  Tasks client_tasks_;
  bool is_stopping_ = false;
  TaskGroup ticking_;
  TaskGroup running_;
};

}  // namespace oriel::mcp
