#pragma once
// `oriel cluster status`: the nodes of a cluster, and whether they agree. `oriel cluster refound`:
// founds the log of a cluster anew.

#include "client/server_access.h"
#include "server/serve_options.h"

#include <boost/json/object.hpp>

#include <iosfwd>
#include <string>

namespace oriel {

struct ClusterStatusOptions {
  ServerAccess server;
  bool is_json = false;
};

struct ClusterRefoundOptions {
  ServeOptions node;
  bool is_forced = false;
};

// The answer of /api/cluster as text for people.
std::string cluster_report(const boost::json::object& status);

// Returns the exit code: 1 also if the server is not in a cluster.
int cluster_command(const ClusterStatusOptions& options, std::ostream& out, std::ostream& err);

// Returns the exit code: 1 also if the log is not to be founded anew.
int refound_command(const ClusterRefoundOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
