#pragma once
// The audit, for administrators.

#include "http/router.h"
#include "journal/journal.h"

namespace oriel {

// Must outlive the HTTP server.
class AuditEndpoint {
 public:
  explicit AuditEndpoint(Journal& journal) : journal_(journal) {}

  // Adds /api/audit.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> list(http::Request request, Shard& shard);

  Journal& journal_;
};

}  // namespace oriel
