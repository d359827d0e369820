#pragma once
// POST of 2026-07-28 clients: each request is self-contained and runs on the shard of its
// connection.

#include "http/response.h"
#include "mcp/shard_state.h"
#include "mcp/stateless/task_request.h"

#include <memory>
#include <vector>

namespace oriel::mcp {

// Handles a message for which is_stateless() holds. `shards` are the states of all shards, `here`
// is that of the connection.
asio::awaitable<http::Response> post_stateless(
    const std::vector<std::unique_ptr<ShardState>>& shards, ShardState& here, http::Request http,
    RpcMessage message);

// Answers for a server that shares the archive and does not have the task.
asio::awaitable<RpcResult> answer_about_task(const std::vector<std::unique_ptr<ShardState>>& shards,
                                             TaskRequest request);

// 200 and JSON, or another status with or without a body.
http::Response rpc_response(int status, std::string body);

// The head of an event stream.
http::Response stream_response();

}  // namespace oriel::mcp
