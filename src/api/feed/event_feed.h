#pragma once
// GET /api/events: streams committed events as server-sent events, filtered and resumable from any
// cursor.

#include "api/feed/shard_feed.h"
#include "http/router.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <memory>
#include <vector>

namespace oriel {

// The parsed request for a stream.
struct FeedRequest {
  EventFilter filter;
  std::optional<Cursor> cursor;
};

// An error names the malformed parameter or header.
Result<FeedRequest> parse_feed_request(const http::Request& request);

// Must outlive the HTTP server.
class EventFeed {
 public:
  EventFeed(Shards& shards, Journal& journal, Hub& hub, const TokenStore& tokens,
            FeedOptions options);

  // Adds /api/events, its alias /api/events/stream, /api/clients and /api/clients/{id}.
  void add_routes(http::Router& router);

  // Starts the heartbeats.
  void start();

  // Must run on the first shard. Sends `bye` to every client and waits until all have disconnected;
  // drops those left after `grace`.
  asio::awaitable<void> stop(std::chrono::milliseconds grace, FeedEnd end);

  std::size_t active_clients() const { return slots_->taken(); }

  std::size_t max_clients() const { return slots_->limits().all; }

  std::uint64_t refused_clients(FullSlots limit) const { return slots_->refused(limit); }

  bool is_running() const { return is_running_; }

  std::vector<const FeedCounters*> counters() const;

 private:
  asio::awaitable<http::Response> open(http::Request request, Shard& shard);
  asio::awaitable<bool> reaches(Cursor cursor);
  asio::awaitable<http::Response> list_clients(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show_client(http::Request request, Shard& shard);
  // The clients of all shards that this principal may know of.
  asio::awaitable<std::vector<SseClientInfo>> clients_for(Principal reader);

  FeedOptions options_;
  Shards& shards_;
  Journal& journal_;
  std::shared_ptr<ClientSlots> slots_;
  std::vector<std::unique_ptr<ShardFeed>> feeds_;
  std::atomic<bool> is_running_{true};
  TaskGroup stopping_;
};

}  // namespace oriel
