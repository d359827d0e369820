#pragma once
// REST for sessions: start, message, cancel, answer, end, and look at them; and which agents there
// are.

#include "http/router.h"
#include "supervisor/supervisor.h"

namespace oriel {

// The answer to a command that the supervisor refused: its error's code gives the status.
Response refusal_response(const Error& error);

// Owned by the app.
class SessionDoor {
 public:
  explicit SessionDoor(Supervisor& supervisor) : supervisor_(supervisor) {}

  // Adds /api/agents, /api/sessions and, below it, {id}, {id}/messages, {id}/cancel,
  // {id}/permissions/{permission_id} and {id}/end.
  void add_routes(Router& router);

 private:
  asio::awaitable<Response> agents(Request request, Shard& shard);
  asio::awaitable<Response> create(Request request, Shard& shard);
  asio::awaitable<Response> list(Request request, Shard& shard);
  asio::awaitable<Response> show(Request request, Shard& shard);
  asio::awaitable<Response> message(Request request, Shard& shard);
  asio::awaitable<Response> cancel(Request request, Shard& shard);
  asio::awaitable<Response> answer(Request request, Shard& shard);
  asio::awaitable<Response> end(Request request, Shard& shard);

  Supervisor& supervisor_;
};

}  // namespace oriel
