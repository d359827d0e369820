#pragma once
// GET /api/sessions/{id}/paths: files and directories of a workspace by a part of their path, to
// name them in a message.

#include "api/visible_sessions.h"
#include "http/router.h"

namespace oriel {

// Must outlive the HTTP server.
class PathEndpoint {
 public:
  explicit PathEndpoint(VisibleSessions& sessions) : sessions_(sessions) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> find(http::Request request);

  VisibleSessions& sessions_;
};

}  // namespace oriel
