#pragma once
// `GET /api/sessions/{id}/events`: polling, a full citizen beside the streams: by index, by type,
// and with a wait for what is yet to come.

#include "http/router.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "supervisor/supervisor.h"

#include <chrono>

namespace oriel {

struct EventsQuery {
  SessionQuery query;
  std::chrono::milliseconds wait{0};
};

// An error names the parameter that is malformed.
Result<EventsQuery> parse_events_query(const Request& request);

// Owned by the app.
class SessionEventsDoor {
 public:
  SessionEventsDoor(Journal& journal, Hub& hub, Supervisor& supervisor)
      : journal_(journal), hub_(hub), supervisor_(supervisor) {}

  void add_routes(Router& router);

 private:
  asio::awaitable<Response> poll(Request request, Shard& shard);
  asio::awaitable<SessionPage> read(EventsQuery wanted, Shard& shard);

  Journal& journal_;
  Hub& hub_;
  Supervisor& supervisor_;
};

}  // namespace oriel
