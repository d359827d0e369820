#pragma once
// `GET /api/events`: every committed event, live and filtered, to anyone with a browser, curl or a
// terminal; resumable from any cursor.

#include "api/feed/shard_feed.h"
#include "http/router.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <memory>
#include <vector>

namespace oriel {

// A request for the stream, understood.
struct FeedRequest {
  EventFilter filter;
  std::optional<Cursor> cursor;
};

// An error names the parameter or header that is malformed.
Result<FeedRequest> parse_feed_request(const http::Request& request);

// Owned by the app.
class EventFeed {
 public:
  EventFeed(Shards& shards, Journal& journal, Hub& hub, const TokenStore& tokens,
            FeedOptions options);

  // Adds /api/events, its alias /api/events/stream, /api/clients and /api/clients/{id}.
  void add_routes(http::Router& router);

  // Starts the heartbeats.
  void start();

  // To be awaited on the first shard. Says bye to every client, takes no new one, and returns when
  // all have gone; those that do not take it within `grace` are dropped.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  std::size_t active_clients() const { return slots_->taken(); }

  std::size_t max_clients() const { return slots_->limit(); }

  bool is_running() const { return is_running_; }

  std::vector<const FeedCounters*> counters() const;

 private:
  asio::awaitable<http::Response> open(http::Request request, Shard& shard);
  asio::awaitable<http::Response> list_clients(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show_client(http::Request request, Shard& shard);
  asio::awaitable<std::vector<SseClientInfo>> all_clients();

  FeedOptions options_;
  Shards& shards_;
  std::shared_ptr<ClientSlots> slots_;
  std::vector<std::unique_ptr<ShardFeed>> feeds_;
  std::atomic<bool> is_running_{true};
  TaskGroup stopping_;
};

}  // namespace oriel
