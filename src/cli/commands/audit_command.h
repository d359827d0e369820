#pragma once
// `oriel audit`: who did what, from where, to which session.

#include "client/server_access.h"

#include <boost/json/object.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>

namespace oriel {

struct AuditOptions {
  ServerAccess server;
  std::string session;  // the whole id; empty: of all
  std::size_t limit = 100;
  bool is_json = false;
};

// One entry of /api/audit as a line for people.
std::string audit_line(const boost::json::object& entry);

// Prints the newest entries, oldest first: lines for people, or JSON lines. Returns the exit code.
int audit_command(const AuditOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
