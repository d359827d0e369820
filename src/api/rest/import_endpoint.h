#pragma once
// /api/import: starts, reports and cancels an import of transcripts.

#include "api/audit_log.h"
#include "http/router.h"
#include "supervisor/observers/importer.h"

namespace oriel {

// Must outlive the HTTP server.
class ImportEndpoint {
 public:
  ImportEndpoint(Importer& importer, AuditLog& audit) : importer_(importer), audit_(audit) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> begin(http::Request request, Shard& shard);
  asio::awaitable<http::Response> refuse(Principal principal, Error error);
  asio::awaitable<http::Response> show(http::Request request, Shard& shard);
  asio::awaitable<http::Response> cancel(http::Request request, Shard& shard);

  Importer& importer_;
  AuditLog& audit_;
};

}  // namespace oriel
