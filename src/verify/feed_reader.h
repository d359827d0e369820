#pragma once
// Reads GET /api/events across broken connections and restarts, as a watcher does.

#include "client/server_access.h"
#include "client/sse_parser.h"
#include "runtime/asio.h"

#include <functional>
#include <string>

namespace oriel {

// Lives on one shard. run() must have ended before destruction.
class FeedReader {
 public:
  // Starts after this cursor. `on_event` also gets hello, gap and bye.
  FeedReader(ServerAccess server, std::string cursor,
             std::function<void(const SseEvent&)> on_event);

  // Reads until stop().
  asio::awaitable<void> run();

  void stop();

 private:
  asio::awaitable<void> read_once();

  ServerAccess server_;
  std::string cursor_;
  std::function<void(const SseEvent&)> on_event_;
  HttpStream* stream_ = nullptr;  // while one is open
  bool is_stopping_ = false;
};

// Between two attempts of a client to reach the server.
asio::awaitable<void> pause_client();

// Short, because the server is restarted and its proxy stalls.
constexpr HttpDeadlines kVerifyDeadlines{.connect = std::chrono::seconds(3),
                                         .response = std::chrono::seconds(8)};

}  // namespace oriel
