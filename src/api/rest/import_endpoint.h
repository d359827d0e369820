#pragma once
// Sessions of the past over REST: begin an import of transcripts, see how far it is, end it.

#include "http/router.h"
#include "supervisor/observers/importer.h"

namespace oriel {

// Owned by the app.
class ImportEndpoint {
 public:
  explicit ImportEndpoint(Importer& importer) : importer_(importer) {}

  // Adds /api/import.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> begin(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show(http::Request request, Shard& shard);
  asio::awaitable<http::Response> cancel(http::Request request, Shard& shard);

  Importer& importer_;
};

}  // namespace oriel
