#pragma once
// `POST /api/events`: an authorized service publishes an event of its own. Oriel is also a hub.

#include "base/session_event.h"
#include "http/router.h"
#include "journal/journal.h"

#include <string_view>

namespace oriel {

// The event in a request's body, without its time. An error names the key that is wrong.
Result<SessionEvent> parse_publication(std::string_view body);

// Owned by the app.
class PublishEndpoint {
 public:
  explicit PublishEndpoint(Journal& journal) : journal_(journal) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> publish(http::Request request, Shard& shard);

  Journal& journal_;
};

}  // namespace oriel
