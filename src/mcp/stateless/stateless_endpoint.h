#pragma once
// POST of a client of 2026-07-28: every request stands for itself, and is answered on the shard of
// its connection.

#include "http/response.h"
#include "mcp/shard_state.h"

#include <memory>
#include <vector>

namespace oriel::mcp {

// The answer to a message that is_stateless() claims. `homes` are those of all shards, `here` that
// of the connection.
asio::awaitable<http::Response> post_stateless(
    const std::vector<std::unique_ptr<ShardState>>& homes, ShardState& here, http::Request http,
    RpcMessage message);

// 200 and JSON, or another status with or without a body.
http::Response rpc_response(int status, std::string body);

// The head of a stream of events.
http::Response stream_response();

}  // namespace oriel::mcp
