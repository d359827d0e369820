#pragma once
// A 2026-07-28 call whose connection was cut, also by a restart. The protocol has no event ids, but
// clients on the TypeScript SDK resume a stream that had one, and wait for the response of any
// other one until their timeout. So a call that takes long has an id, which carries what it needs
// to go on.

#include "http/response.h"
#include "mcp/shard_state.h"
#include "mcp/stateless/stateless_gate.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

// What a call of a tool needs to go on.
struct LostCall {
  boost::json::value rpc;  // the id of its request
  std::string tool;
  boost::json::value progress_token;  // null: none
  boost::json::object client_capabilities;
  std::optional<LogLevel> log_level;
  boost::json::object kept;  // by Call::keep; empty: it cannot go on
};

LostCall lost_call(const RpcRequest& request, const RequestMeta& meta);

// The event id of the call, for this credential; empty: it would be too long.
std::string event_id_of(const LostCall& call, std::string_view credential_id,
                        const ServerState& server);

// The response to a GET with such an id: the call goes on, or ends with an error that names the
// next step. None for any other event id.
std::optional<http::Response> resume_lost_call(ShardState& here, const Principal& principal,
                                               std::string_view last_event_id);

}  // namespace oriel::mcp
