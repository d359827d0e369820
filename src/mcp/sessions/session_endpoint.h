#pragma once
// POST, GET and DELETE of clients with sessions, on the owner shard of the session.

#include "http/request.h"
#include "mcp/shard_state.h"

#include <optional>
#include <string>

namespace oriel::mcp {

// A stream waiting for its connection.
struct StreamTicket {
  std::string session_id;
  std::string stream_id;
  StreamPlace after;
  std::string first_bytes;
};

// The response to a request: a body or a stream.
struct SessionAnswer {
  int status = 200;
  std::string body;        // JSON; may be empty
  std::string session_id;  // of a new session
  std::optional<StreamTicket> stream;
};

// The parts of an HTTP request that sessions need.
struct SessionRequest {
  Principal principal;
  std::string session_id;     // empty: not given
  std::string version;        // MCP-Protocol-Version; empty: not given
  std::string last_event_id;  // empty: not given
};

// Await each on the owner shard of the session; initialize on any shard.
asio::awaitable<SessionAnswer> post_to_session(ShardState& owner, SessionRequest request,
                                               RpcBody body);
asio::awaitable<SessionAnswer> get_from_session(ShardState& owner, SessionRequest request);
asio::awaitable<SessionAnswer> delete_session(ShardState& owner, SessionRequest request);

// Attaches the connection; drops it if the stream no longer exists.
void attach_to_session(ShardState& owner, const Principal& principal, const StreamTicket& ticket,
                       std::shared_ptr<StreamConnection> connection);

}  // namespace oriel::mcp
