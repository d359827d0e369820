#pragma once
// /api/sessions/{id}/changes: what a session has changed in its workspace.

#include "api/visible_sessions.h"
#include "http/router.h"

namespace oriel {

// Must outlive the HTTP server.
class ChangesEndpoint {
 public:
  explicit ChangesEndpoint(VisibleSessions& sessions) : sessions_(sessions) {}

  // Adds /api/sessions/{id}/changes and /api/sessions/{id}/changes/diff.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> show(http::Request request, ChangesPart part);

  VisibleSessions& sessions_;
};

}  // namespace oriel
