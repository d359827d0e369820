#pragma once
// Protects against DNS rebinding and cross-site requests: Host must name this server, and a request
// of a browser must come from one of its own pages or from an origin that the operator allows.

#include "base/error.h"
#include "http/request.h"

#include <string>
#include <vector>

namespace oriel {

struct OriginOptions {
  std::string public_url = {};                    // "http(s)://host[:port][/]"; empty: none
  std::vector<std::string> allowed_origins = {};  // "http(s)://host[:port]" of further pages
  bool is_tls = false;                            // pages of a loopback name have https URLs
};

// Where a request comes from, as far as its headers say.
struct RequestOrigin {
  bool is_foreign_page = false;  // of an allowed origin; needs a token
  bool is_public_host = false;   // it was sent to the host of the public URL
};

// Immutable. Loopback names (localhost, *.localhost, 127.0.0.0/8, ::1) and the host of the public
// URL are accepted as Host.
class OriginGuard {
 public:
  // Throws std::invalid_argument on a malformed URL.
  explicit OriginGuard(const OriginOptions& options);

  // `is_page`: the request is for a static file of the page, which any site may link to. Errors:
  // bad_host for a missing or malformed Host; foreign_host, foreign_origin.
  Result<RequestOrigin> check(const http::Request& request, bool is_page) const;

 private:
  std::string public_host_;    // "oriel.example.org" or "oriel.example.org:8443"; empty for none
  std::string public_origin_;  // "https://oriel.example.org"
  std::vector<std::string> allowed_origins_;
  std::string own_scheme_;
};

}  // namespace oriel
