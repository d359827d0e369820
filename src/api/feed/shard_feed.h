#pragma once
// The stream clients of one shard.

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
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel {

struct FeedOptions {
  ClientLimits clients = {};
  std::size_t max_queued_bytes = 1 << 20;  // per client; beyond it, it reads the journal
  std::chrono::milliseconds heartbeat{30'000};
  std::chrono::milliseconds stall_timeout{60'000};
  std::chrono::milliseconds retry{2'000};  // reconnect delay sent to clients
};

// What `bye` says when the server ends its streams.
struct FeedEnd {
  std::string_view reason = "shutdown";
  std::chrono::milliseconds retry{2'000};
};

// An accepted client whose stream has not started.
struct NewClient {
  Principal principal;
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

  // Starts the stream on this connection, after the response head.
  void open(NewClient client, std::unique_ptr<http::Transport> connection, std::string head);

  std::vector<SseClientInfo> clients() const;

  // Sends `bye` to all clients, waits until they have disconnected, drops those left after `grace`.
  asio::awaitable<void> stop(std::chrono::milliseconds grace, FeedEnd end);

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
  std::unordered_map<std::string_view, Entry> clients_;  // by client id
  std::optional<FeedEnd> end_;                           // set when it stops
  asio::steady_timer emptied_;
  TaskGroup tasks_;
};

}  // namespace oriel
