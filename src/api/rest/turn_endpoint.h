#pragma once
// A session's turns and tasks, and the projects that sessions work in.

#include "api/visible_sessions.h"
#include "base/event/turn_list.h"
#include "http/router.h"

namespace oriel {

// `after` or `before` (the cursor of a turn) and `limit`. An error names the parameter.
Result<TurnPageQuery> parse_turn_page(const http::Request& request);

// Must outlive the HTTP server.
class TurnEndpoint {
 public:
  explicit TurnEndpoint(VisibleSessions& sessions) : sessions_(sessions) {}

  // Adds /api/sessions/{id}/turns, /api/sessions/{id}/tasks and /api/projects.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> turns(http::Request request, Shard& shard);
  asio::awaitable<http::Response> tasks(http::Request request, Shard& shard);
  asio::awaitable<http::Response> projects(http::Request request, Shard& shard);

  VisibleSessions& sessions_;
};

}  // namespace oriel
