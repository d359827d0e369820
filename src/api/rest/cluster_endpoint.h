#pragma once
// The nodes of the cluster, as this one sees them.

#include "cluster/cluster.h"
#include "http/router.h"

#include <boost/json/object.hpp>

namespace oriel {

boost::json::object to_json(const ClusterStatus& status);

// Must outlive the HTTP server.
class ClusterEndpoint {
 public:
  // Null: this server is not in a cluster.
  explicit ClusterEndpoint(const Cluster* cluster) : cluster_(cluster) {}

  // Adds /api/cluster.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> respond(http::Request request) const;

  const Cluster* cluster_;
};

}  // namespace oriel
