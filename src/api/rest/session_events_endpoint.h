#pragma once
// `GET /api/sessions/{id}/events`: polling by index, by type, and with a wait for what is yet to
// come.

#include "api/session_reader.h"
#include "http/router.h"

namespace oriel {

// An error names the parameter that is malformed.
Result<EventsQuery> parse_events_query(const http::Request& request);

// Owned by the app.
class SessionEventsEndpoint {
 public:
  explicit SessionEventsEndpoint(SessionReader& reader) : reader_(reader) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> poll(http::Request request, Shard& shard);

  SessionReader& reader_;
};

}  // namespace oriel
