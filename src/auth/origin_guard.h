#pragma once
// Protects against DNS rebinding and cross-site requests: Host must name this server, and Origin
// must be one of its pages.

#include "base/error.h"
#include "http/request.h"

#include <string>

namespace oriel {

// Loopback names (localhost, *.localhost, 127.0.0.0/8, ::1) with any port, and the host of the
// public URL, are accepted as Host. The same hold for Origin, if present; "null" is rejected.
class OriginGuard {
 public:
  // `public_url` is empty or "http(s)://host[:port][/]"; throws std::invalid_argument on anything
  // else.
  explicit OriginGuard(const std::string& public_url);

  // Errors: bad_host for a missing or malformed Host, else a rejection for a 403.
  Result<void> check(const http::Request& request) const;

 private:
  std::string public_host_;    // "oriel.example.org" or "oriel.example.org:8443"; empty for none
  std::string public_origin_;  // "https://oriel.example.org"
};

}  // namespace oriel
