#pragma once
// `oriel watch`: shows events live, across reconnects, without losing any.

#include "base/event/event_filter.h"
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
  std::string since;        // cursor to start after; empty: new events only
  bool is_json = false;     // JSON lines on a terminal, too
  bool is_raw = false;      // every event, on a terminal
  bool is_colored = true;   // on a terminal
  std::uint64_t count = 0;  // exit after this many events; 0: never
  std::chrono::milliseconds timeout =
      std::chrono::seconds(90);  // without a byte, then it reconnects
};

// Receives the output of watch_events().
struct WatchOutput {
  std::function<bool(const SseEvent&)> event;  // also a `gap`; returns false if the reader has gone
  std::function<void(const std::string&)> notice;  // about the connection
};

// "/api/events?types=a,b&project_id=p"
std::string watch_target(const EventFilter& filter);

// Returns the exit code: 0 after `count` events or when the reader has gone, 1 if the server
// rejects the request. Otherwise it reconnects and resumes after the last event received.
asio::awaitable<int> watch_events(WatchOptions options, WatchOutput output);

// Runs the command: on a terminal one colored line for each thing that happened, or for each event
// if it is raw; otherwise one JSON line per event. Notices go to standard error. Returns 0 on
// SIGINT and SIGTERM, and when the reader of its pipe has gone.
int watch(const WatchOptions& options);

}  // namespace oriel
