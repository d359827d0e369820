#pragma once
// `oriel publish`: publishes one event.

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
  std::optional<std::string> data;  // JSON; "-" reads standard input
};

// The request's body, with the data unchanged. The error says where the data is not JSON.
Result<std::string> publish_body(const PublishOptions& options);

// Prints the id of the event. Returns the exit code: 2 if the data is not JSON, 1 if the server
// rejects it or cannot be reached.
int publish(PublishOptions options, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace oriel
