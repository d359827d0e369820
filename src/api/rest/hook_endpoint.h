#pragma once
// POST /api/hooks/{kind}: hooks of observed agents.

#include "http/router.h"
#include "supervisor/supervisor.h"

#include <cstdint>
#include <optional>

namespace oriel {

// The process id that `oriel hook` sends in the header Oriel-Agent-Pid. Ignored from another
// machine, where the number means nothing.
std::optional<std::int64_t> agent_pid(const http::Request& request);

// Must outlive the HTTP server. Responds before anything is stored, so that no agent waits.
class HookEndpoint {
 public:
  explicit HookEndpoint(Supervisor& supervisor) : supervisor_(supervisor) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> take(http::Request request, Shard& shard);

  Supervisor& supervisor_;
};

}  // namespace oriel
