#pragma once
// A complete MCP server on one URL, for clients of every era: 2025-03-26 to 2025-11-25, which have
// sessions and resumable streams, and 2026-07-28, which is stateless. Knows nothing of agents.

#include "http/router.h"
#include "mcp/catalog.h"
#include "mcp/change.h"
#include "mcp/options.h"
#include "runtime/shards.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

struct Counts {
  std::size_t sessions = 0;
  std::size_t streams = 0;  // with a connection
  std::size_t tasks = 0;
  std::size_t stored_bytes = 0;
};

class ShardState;
struct ServerState;
struct SessionAnswer;

// Owned by the app; built before the shards run, with a catalog that stays as it is.
class Server {
 public:
  Server(Shards& shards, const Catalog& catalog, Options options);
  ~Server();

  // Adds GET, POST and DELETE of `path`.
  void add_routes(http::Router& router, const std::string& path);

  void start();

  // To be awaited on the first shard: ends all calls and streams.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  // May be called on any thread.
  void announce(Change change);

  Counts counts() const;

 private:
  ShardState& home_of(std::string_view id);  // of a session or a task
  asio::awaitable<http::Response> post(http::Request request, Shard& shard);
  asio::awaitable<http::Response> get(http::Request request, Shard& shard);
  asio::awaitable<http::Response> remove(http::Request request, Shard& shard);

  static http::Response respond(SessionAnswer answer, http::Principal principal, ShardState& home,
                                ShardState& here);

  std::unique_ptr<ServerState> site_;
  std::vector<std::unique_ptr<ShardState>> homes_;
};

}  // namespace oriel::mcp
