#pragma once
// POST, GET and DELETE of a client of the era of sessions, on the shard of its session.

#include "http/request.h"
#include "mcp/shard_state.h"

#include <optional>
#include <string>

namespace oriel::mcp {

// A stream that waits for its connection.
struct StreamTicket {
  std::string session_id;
  std::string stream_id;
  std::uint64_t after = 0;
  std::string first_bytes;
};

// What a request is answered: a body, or a stream.
struct SessionAnswer {
  int status = 200;
  std::string body;        // JSON; empty: none
  std::string session_id;  // of a session that began
  std::optional<StreamTicket> stream;
};

// What of an HTTP request its session needs to know.
struct SessionRequest {
  http::Principal principal;
  std::string session_id;     // empty: not given
  std::string version;        // MCP-Protocol-Version; empty: not given
  std::string last_event_id;  // empty: not given
};

// Each is to be awaited on the home of the session; a request that begins one, on any.
asio::awaitable<SessionAnswer> post_to_session(ShardState& home, SessionRequest request,
                                               RpcBody body);
asio::awaitable<SessionAnswer> get_from_session(ShardState& home, SessionRequest request);
asio::awaitable<SessionAnswer> delete_session(ShardState& home, SessionRequest request);

// Gives the stream its connection; drops it if the stream has gone meanwhile.
void attach_to_session(ShardState& home, const http::Principal& principal,
                       const StreamTicket& ticket, std::shared_ptr<StreamConnection> connection);

}  // namespace oriel::mcp
