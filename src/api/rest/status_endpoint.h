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
#include "search/search_index.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// "ok", "degraded" or "stopping", as GET /health reports it.
std::string_view overall_status(bool is_running, bool is_sound);

// GET /ready: 503 with the reason while commands and publications would fail, so that a load
// balancer sends requests elsewhere. `refusal` is the journal's.
http::Response readiness(bool is_running, std::optional<std::string> refusal);

// All of them outlive the endpoint.
struct StatusSources {
  const Journal& journal;
  const SearchIndex& search;
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

  http::Response ready() const {
    return readiness(sources_.feed.is_running(), sources_.journal.refusal());
  }

  http::Response metrics() const;

  StatusSources sources_;
  std::string version_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace oriel
