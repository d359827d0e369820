#pragma once
// GET /api/search: search in all sessions.

#include "api/session_search.h"
#include "http/router.h"

namespace oriel {

// An error names the malformed parameter.
Result<SearchRequest> parse_search_request(const http::Request& request);

// Must outlive the HTTP server.
class SearchEndpoint {
 public:
  explicit SearchEndpoint(SessionSearch& search) : search_(search) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> search(http::Request request, Shard& shard);

  SessionSearch& search_;
};

}  // namespace oriel
