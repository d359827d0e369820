#pragma once
// Polling, a full citizen beside the streams: a session's events by index, by type, and with a wait
// for what is yet to come. REST and MCP read with it.

#include "hub/hub.h"
#include "journal/journal.h"
#include "supervisor/supervisor.h"

#include <chrono>

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
  bool is_purged = false;  // what was asked for by index is no longer held: use purged_error

  bool has_more() const { return page.scanned_until < page.last_index; }
};

// "events before index N were purged (oldest held: N)", and what to do.
Error purged_error(std::int64_t oldest);

// Owned by the app.
class SessionReader {
 public:
  SessionReader(Journal& journal, Hub& hub, Supervisor& supervisor)
      : journal_(journal), hub_(hub), supervisor_(supervisor) {}

  // With nothing to return yet, waits that long for the next event. Refused: unknown_session.
  asio::awaitable<Result<EventsAnswer>> read(EventsQuery wanted, Shard& shard);

 private:
  asio::awaitable<SessionPage> read_page(EventsQuery wanted, Shard& shard);

  Journal& journal_;
  Hub& hub_;
  Supervisor& supervisor_;
};

}  // namespace oriel
