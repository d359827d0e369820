#pragma once
// POST /api/events: lets services publish their own events.

#include "base/session_event.h"
#include "http/router.h"
#include "journal/journal.h"

#include <string_view>

namespace oriel {

// Parses a request body; the timestamp stays unset. An error names the wrong key.
Result<SessionEvent> parse_publication(std::string_view body);

// Must outlive the HTTP server.
class PublishEndpoint {
 public:
  explicit PublishEndpoint(Journal& journal) : journal_(journal) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> publish(http::Request request, Shard& shard);

  Journal& journal_;
};

}  // namespace oriel
