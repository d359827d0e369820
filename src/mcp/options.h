#pragma once
// Limits of an MCP server.

#include "base/principal.h"
#include "mcp/archive.h"
#include "mcp/streams/stream_tracker.h"

#include <chrono>
#include <cstddef>
#include <functional>

namespace oriel::mcp {

// Of one client.
struct SubscriptionLimits {
  std::size_t max_count = 100;
  std::size_t max_uri_bytes = 2 << 10;
};

struct Options {
  std::size_t max_sessions = 20'000;                   // beyond: 503
  std::size_t max_sessions_per_principal = 1'000;      // of a credential; beyond: 503
  std::size_t max_calls_per_session = 64;              // running at a time; beyond: 429
  std::size_t event_store_bytes = 10u << 20;           // of all streams
  std::chrono::milliseconds session_ttl{30 * 60'000};  // without a request or an open stream
  std::chrono::milliseconds keep_alive{15'000};        // idle time before a comment is sent
  std::chrono::milliseconds stall_timeout{60'000};     // without progress of a write
  std::chrono::milliseconds stream_after{50};  // a response that takes longer becomes a stream
  // A 2026-07-28 call that takes longer gets an event id, for clients that ask for its end then.
  std::chrono::milliseconds prime_after{1'000};
  std::chrono::milliseconds state_ttl{60 *
                                      60'000};  // of state that a client carries between rounds
  std::chrono::milliseconds task_ttl{60 * 60'000};
  std::size_t max_tasks = 1'000;
  std::size_t max_tasks_per_principal = 500;  // of a credential
  SubscriptionLimits subscriptions = {};
  StreamOptions streams = {};

  // Keeps sessions, calls and tasks beyond a restart; null: they end with the server. Outlives it.
  Archive* archive = nullptr;

  // Whether this principal still has access; asked about once a second for all that is open.
  std::function<bool(const Principal&)> is_valid = [](const Principal&) { return true; };
};

}  // namespace oriel::mcp
