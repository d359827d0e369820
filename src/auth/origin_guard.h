#pragma once
// Against DNS rebinding and foreign pages: a request must name us, and a page that sends one must
// be ours.

#include "base/error.h"
#include "http/request.h"

#include <string>

namespace oriel {

// Loopback names (localhost, *.localhost, 127.0.0.0/8, ::1) with any port, and the host of the
// public URL, pass as Host. The same go for Origin, when there is one; "null" does not.
class OriginGuard {
 public:
  // `public_url` is empty or "http(s)://host[:port][/]"; throws std::invalid_argument on anything
  // else.
  explicit OriginGuard(const std::string& public_url);

  // The error is for a 403 (for a missing or malformed Host a 400: code "bad_host").
  Result<void> check(const http::Request& request) const;

 private:
  std::string public_host_;    // "oriel.example.org" or "oriel.example.org:8443"; empty for none
  std::string public_origin_;  // "https://oriel.example.org"
};

}  // namespace oriel
