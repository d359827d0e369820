#pragma once
// GET /api/sessions/{id}/events: polling with an optional wait.

#include "api/session_reader.h"
#include "http/router.h"

namespace oriel {

// An error names the malformed parameter.
Result<EventsQuery> parse_events_query(const http::Request& request);

// Must outlive the HTTP server.
class SessionEventsEndpoint {
 public:
  explicit SessionEventsEndpoint(SessionReader& reader) : reader_(reader) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> poll(http::Request request, Shard& shard);

  SessionReader& reader_;
};

}  // namespace oriel
