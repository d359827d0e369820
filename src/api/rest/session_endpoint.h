#pragma once
// /api/sessions and /api/agents: list, start, message, cancel, answer and end sessions.

#include "api/visible_sessions.h"
#include "http/router.h"

namespace oriel {

// Must outlive the HTTP server.
class SessionEndpoint {
 public:
  explicit SessionEndpoint(VisibleSessions& sessions) : sessions_(sessions) {}

  // Adds /api/agents, /api/sessions and, below it, {id}, {id}/messages, {id}/cancel,
  // {id}/permissions/{permission_id} and {id}/end.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> agents(http::Request request, Shard& shard);
  asio::awaitable<http::Response> create(http::Request request, Shard& shard);
  asio::awaitable<http::Response> list(http::Request request, Shard& shard);
  asio::awaitable<http::Response> organize(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show(http::Request request, Shard& shard);
  asio::awaitable<http::Response> message(http::Request request, Shard& shard);
  asio::awaitable<http::Response> cancel(http::Request request, Shard& shard);
  asio::awaitable<http::Response> answer(http::Request request, Shard& shard);
  asio::awaitable<http::Response> end(http::Request request, Shard& shard);

  VisibleSessions& sessions_;
};

}  // namespace oriel
