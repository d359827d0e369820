#pragma once
// `oriel publish`: sends one event.

#include "client/server_access.h"

#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct PublishOptions {
  ServerAccess server;
  std::string type;
  std::string project;  // empty: none
  std::string session;  // empty: none
  std::optional<std::string> text;
  std::optional<std::string> data;  // JSON; "-" stands for what standard input holds
};

// The request's body. Data stands in it as it was given; the error says where it is not JSON.
Result<std::string> publish_body(const PublishOptions& options);

// Prints the new event's id. Returns the exit code: 2 when the data is not JSON, 1 when the server
// refuses or is away.
int publish(PublishOptions options, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace oriel
