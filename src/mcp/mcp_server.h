#pragma once
// A complete MCP server on one URL, for clients of every era: 2025-03-26 to 2025-11-25, which have
// sessions and resumable streams, and 2026-07-28, which is stateless. Knows nothing of agents.

#include "http/router.h"
#include "mcp/catalog.h"
#include "mcp/event_store.h"
#include "runtime/shards.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct McpOptions {
  std::size_t max_sessions = 20'000;                   // 503 beyond
  std::size_t max_streams_per_session = 16;            // 429 beyond
  std::size_t event_store_bytes = 10u << 20;           // of all streams together
  std::chrono::milliseconds session_ttl{30 * 60'000};  // without a request or an open stream
  std::chrono::milliseconds stream_ttl{10 * 60'000};   // without a connection
  std::chrono::milliseconds keep_alive{15'000};        // silence before a comment is sent
  std::chrono::milliseconds stall_timeout{60'000};
  std::chrono::milliseconds retry{1'000};      // how long a client should wait before it comes back
  std::chrono::milliseconds stream_after{50};  // an answer that takes longer becomes a stream
  std::chrono::milliseconds task_ttl{60 * 60'000};
  std::size_t max_tasks = 1'000;
  std::string node = "0";  // which of several servers, in event ids
};

// What changed, for the clients that want to know.
struct McpChange {
  enum class What { kTools, kPrompts, kResources, kResource } what = What::kResource;
  std::string uri;  // of kResource
};

struct McpCounts {
  std::size_t sessions = 0;
  std::size_t streams = 0;  // with a connection
  std::size_t tasks = 0;
  std::size_t stored_bytes = 0;
};

class McpShard;

// Owned by the app; built before the shards run, with a catalog that stays as it is.
class McpServer {
 public:
  McpServer(Shards& shards, const McpCatalog& catalog, McpOptions options);
  ~McpServer();

  // Adds GET, POST and DELETE of `path`.
  void add_routes(Router& router, const std::string& path);

  void start();

  // To be awaited on the first shard: ends all calls and streams.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  // May be called on any thread.
  void announce(McpChange change);

  McpCounts counts() const;

 private:
  McpShard& home_of(std::string_view id);  // of a session or a task
  asio::awaitable<Response> post(Request request, Shard& shard);
  asio::awaitable<Response> get(Request request, Shard& shard);
  asio::awaitable<Response> remove(Request request, Shard& shard);

  Shards& shards_;
  const McpCatalog& catalog_;
  McpOptions options_;
  std::vector<std::unique_ptr<McpShard>> homes_;
};

}  // namespace oriel
