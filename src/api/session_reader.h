#pragma once
// Polling for REST and MCP: a session's events by index and type, with an optional wait for the
// next one.

#include "api/visible_sessions.h"
#include "hub/hub.h"
#include "journal/journal.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

namespace oriel {

constexpr std::int64_t kMaxEventsLimit = 5000;
constexpr std::int64_t kDefaultEventsLimit = 500;
constexpr std::int64_t kMaxEventsWait = 60'000;  // ms
constexpr std::size_t kMaxEventsBytes = 4 << 20;

struct EventsQuery {
  SessionQuery query;
  std::chrono::milliseconds wait{0};
};

struct EventsAnswer {
  SessionPage page;
  SessionStatus status = SessionStatus::kIdle;
  bool is_purged = false;  // the requested index is no longer held: respond with purged_error

  bool has_more() const { return page.scanned_until < page.last_index; }
};

// "events before index N were purged (oldest held: N)", with a hint where to continue.
Error purged_error(std::int64_t oldest);

// How a wait notices that its principal has lost its access.
struct AccessCheck {
  std::function<bool(const Principal&)> is_valid = [](const Principal&) { return true; };
  std::chrono::milliseconds every{500};
};

// Must outlive the HTTP server.
class SessionReader {
 public:
  SessionReader(Journal& journal, Hub& hub, VisibleSessions& sessions, AccessCheck access = {})
      : journal_(journal), hub_(hub), sessions_(sessions), access_(std::move(access)) {}

  // Waits up to `wanted.wait` if there is no event yet. Fails with kUnknownSession, or with
  // kUnauthorized once the principal's credential is revoked or expires.
  asio::awaitable<Result<EventsAnswer>> read(Principal principal, EventsQuery wanted, Shard& shard);

  // Before a shutdown: waits end soon, as if their time had passed. On any thread.
  void end_waits() { are_waits_over_ = true; }

 private:
  asio::awaitable<Result<SessionPage>> read_page(Principal principal, EventsQuery wanted,
                                                 Shard& shard);

  Journal& journal_;
  Hub& hub_;
  VisibleSessions& sessions_;
  AccessCheck access_;
  std::atomic<bool> are_waits_over_{false};
};

}  // namespace oriel
