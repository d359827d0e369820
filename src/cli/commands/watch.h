#pragma once
// `oriel watch`: a server's events in the terminal, live, from one connection to the next without
// losing one.

#include "base/event_filter.h"
#include "client/server_access.h"
#include "client/sse_parser.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

struct WatchOptions {
  ServerAccess server;
  EventFilter filter;
  std::string since;        // the cursor to begin after; empty: from now on
  bool is_json = false;     // lines of JSON on a terminal, too
  bool is_colored = true;   // on a terminal
  std::uint64_t count = 0;  // ends after so many events; 0: never
  std::chrono::milliseconds timeout =
      std::chrono::seconds(90);  // without any byte, then it reconnects
};

// Where a watch puts what it gets.
struct WatchOutput {
  std::function<bool(const SseEvent&)> event;      // a `gap` too; false: nobody reads any more
  std::function<void(const std::string&)> notice;  // of what happens to the connection
};

// "/api/events?types=a,b&project_id=p"
std::string watch_target(const EventFilter& filter);

// Returns the exit code: 0 after `count` events or when nobody reads any more, 1 when the server
// refuses for good. A server that is away, full or silent is tried again, after the last id
// received.
asio::awaitable<int> watch_events(WatchOptions options, WatchOutput output);

// The command: on a terminal a colored line an event, else a line of JSON; notices on standard
// error. SIGINT and SIGTERM end it with 0, as does a reader of its pipe that goes away.
int watch(const WatchOptions& options);

}  // namespace oriel
