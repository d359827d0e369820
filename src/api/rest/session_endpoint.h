#pragma once
// REST for sessions: start, message, cancel, answer, end, and look at them; and which agents there
// are.

#include "http/router.h"
#include "supervisor/supervisor.h"

namespace oriel {

// Owned by the app.
class SessionEndpoint {
 public:
  explicit SessionEndpoint(Supervisor& supervisor) : supervisor_(supervisor) {}

  // Adds /api/agents, /api/sessions and, below it, {id}, {id}/messages, {id}/cancel,
  // {id}/permissions/{permission_id} and {id}/end.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> agents(http::Request request, Shard& shard);
  asio::awaitable<http::Response> create(http::Request request, Shard& shard);
  asio::awaitable<http::Response> list(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show(http::Request request, Shard& shard);
  asio::awaitable<http::Response> message(http::Request request, Shard& shard);
  asio::awaitable<http::Response> cancel(http::Request request, Shard& shard);
  asio::awaitable<http::Response> answer(http::Request request, Shard& shard);
  asio::awaitable<http::Response> end(http::Request request, Shard& shard);

  Supervisor& supervisor_;
};

}  // namespace oriel
