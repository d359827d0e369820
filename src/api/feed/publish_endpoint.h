#pragma once
// POST /api/events: lets services publish their own events.

#include "api/visible_sessions.h"
#include "base/event/session_event.h"
#include "base/text/redactor.h"
#include "http/router.h"
#include "journal/journal.h"

#include <memory>
#include <string_view>
#include <utility>

namespace oriel {

// Parses a request body; the timestamp stays unset. An error names the wrong key.
Result<SessionEvent> parse_publication(std::string_view body);

// Must outlive the HTTP server.
class PublishEndpoint {
 public:
  // Null: nothing is masked.
  PublishEndpoint(Journal& journal, VisibleSessions& sessions,
                  std::shared_ptr<const Redactor> redactor = nullptr)
      : journal_(journal), sessions_(sessions), redactor_(std::move(redactor)) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> publish(http::Request request, Shard& shard);

  Journal& journal_;
  VisibleSessions& sessions_;
  std::shared_ptr<const Redactor> redactor_;
};

}  // namespace oriel
