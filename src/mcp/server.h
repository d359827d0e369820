#pragma once
// A complete MCP server on one URL for clients of every protocol era: 2025-03-26 to 2025-11-25,
// with sessions and resumable streams, and 2026-07-28, which is stateless. Knows nothing about
// agents.

#include "http/router.h"
#include "mcp/catalog.h"
#include "mcp/change.h"
#include "mcp/options.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

struct Counts {
  std::size_t sessions = 0;
  std::size_t streams = 0;  // connected
  std::size_t tasks = 0;
  std::size_t stored_bytes = 0;
  // Rejected since the start, by limit.
  std::uint64_t refused_sessions = 0;
  std::uint64_t refused_sessions_per_principal = 0;
  std::uint64_t refused_calls_per_session = 0;
  std::uint64_t refused_tasks = 0;
  std::uint64_t refused_tasks_per_principal = 0;
};

class ShardState;
struct ServerState;
struct SessionAnswer;

// Built before the shards run. The catalog outlives the server and does not change.
class Server {
 public:
  Server(Shards& shards, const Catalog& catalog, Options options);
  ~Server();

  // Adds GET, POST and DELETE of `path`.
  void add_routes(http::Router& router, const std::string& path);

  // Await both on the first shard. start() does not wait until what Options::archive keeps is read:
  // a request waits for what it needs of it.
  asio::awaitable<void> start();

  // Ends all calls and streams.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  // These are thread-safe.
  void announce(Change change);

  // Another server has taken over the session or task with this key of the archive: ends it here
  // and leaves the archive as it is.
  void release(std::string key);

  // Answers what another server has passed to Archive::ask().
  asio::awaitable<std::string> answer(std::string request);

  Counts counts() const;

 private:
  asio::awaitable<void> restore_key();
  asio::awaitable<void> restore_all();
  asio::awaitable<void> restore(std::vector<ArchiveEntry> page);
  ShardState& owner_of(std::string_view id);  // of a session or task
  asio::awaitable<http::Response> post(http::Request request, Shard& shard);
  asio::awaitable<http::Response> get(http::Request request, Shard& shard);
  asio::awaitable<http::Response> remove(http::Request request, Shard& shard);

  static http::Response respond(SessionAnswer answer, Principal principal, ShardState& owner,
                                ShardState& here);

  std::unique_ptr<ServerState> server_;
  std::vector<std::unique_ptr<ShardState>> shard_states_;
  TaskGroup restoring_;
};

}  // namespace oriel::mcp
