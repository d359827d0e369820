#pragma once
// The browser stream's clients on one shard: opens, ticks, lists and ends them.

#include "api/feed/client_slots.h"
#include "api/feed/sse_client.h"
#include "auth/token_store.h"
#include "base/cursor.h"
#include "hub/shard_hub.h"
#include "journal/journal.h"
#include "runtime/task_group.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace oriel {

struct FeedOptions {
  std::size_t max_clients = 100;
  std::size_t max_queued_bytes = 1 << 20;  // of one client; beyond it its stream is ended
  std::chrono::milliseconds heartbeat{30'000};
  std::chrono::milliseconds stall_timeout{60'000};
  std::chrono::milliseconds retry{2'000};  // how long a client should wait before it comes back
};

// A client that was let in and waits for its stream.
struct NewClient {
  http::Principal principal;
  std::string address;
  EventFilter filter;
  std::optional<Cursor> cursor;
  std::shared_ptr<ClientSlot> slot;
};

// Lives on its shard.
class ShardFeed {
 public:
  ShardFeed(asio::any_io_executor shard, Journal& journal, ShardHub& hub, const TokenStore& tokens,
            const FeedOptions& options);

  void start();

  // Begins the stream on this connection, after the head of its response.
  void open(NewClient client, std::unique_ptr<http::Transport> connection, std::string head);

  std::vector<SseClientInfo> clients() const;

  // Says bye to all, waits until they have gone, and drops those that are left after `grace`.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  const FeedCounters& counters() const { return counters_; }

 private:
  struct Entry {
    std::unique_ptr<SseClient> client;
    std::shared_ptr<ClientSlot> slot;
  };

  asio::awaitable<void> tick();
  void tick_clients();
  void remove(SseClient& client);
  template <class Action>
  void for_each(Action action);

  asio::any_io_executor shard_;
  Journal& journal_;
  ShardHub& hub_;
  const TokenStore& tokens_;
  const FeedOptions& options_;
  FeedCounters counters_;
  std::unordered_map<std::string_view, Entry> clients_;  // by the client's own id
  bool is_stopping_ = false;
  asio::steady_timer emptied_;
  TaskGroup tasks_;
};

}  // namespace oriel
