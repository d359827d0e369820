#pragma once
// Where agents that people run themselves tell of their work: their hooks, as they pipe them.

#include "http/router.h"
#include "supervisor/supervisor.h"

#include <cstdint>
#include <optional>

namespace oriel {

// The process that fired the hook, as `oriel hook` says in a header; none when it does not, or when
// the request comes from another machine, where that number means nothing.
std::optional<std::int64_t> agent_pid(const http::Request& request);

// Owned by the app. Answers before anything is stored: no agent waits for it.
class HookEndpoint {
 public:
  explicit HookEndpoint(Supervisor& supervisor) : supervisor_(supervisor) {}

  // Adds POST /api/hooks/{kind}.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> take(http::Request request, Shard& shard);

  Supervisor& supervisor_;
};

}  // namespace oriel
