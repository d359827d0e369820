#pragma once
// GET /health: is the server alive? GET /ready: should it get requests? GET /metrics for
// Prometheus.

#include "api/feed/event_feed.h"
#include "api/mcp/mcp_endpoint.h"
#include "auth/auth_refusals.h"
#include "http/router.h"
#include "http/server.h"
#include "hub/hub.h"
#include "journal/journal.h"

#include <chrono>
#include <string>

namespace oriel {

// All of them outlive the endpoint.
struct StatusSources {
  const Journal& journal;
  const Hub& hub;
  const EventFeed& feed;
  const McpEndpoint& mcp;
  const http::Server& server;
  const AuthRefusals& auth_refusals;
};

// Must outlive the HTTP server.
class StatusEndpoint {
 public:
  StatusEndpoint(StatusSources sources, std::string version);

  // /health and /ready need no token; /metrics does.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> answer(http::Request request,
                                         http::Response (StatusEndpoint::*page)() const) const;
  http::Response health() const;
  http::Response ready() const;
  http::Response metrics() const;

  StatusSources sources_;
  std::string version_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace oriel
