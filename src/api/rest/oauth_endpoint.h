#pragma once
// What clients that try OAuth after a 401 find: metadata that asks for a bearer token and names no
// authorization server (RFC 9728), and a refusal to register that names `oriel token create`.

#include "http/router.h"

#include <string>

namespace oriel {

struct OAuthOptions {
  std::string public_url = {};  // base URL of requests that name its host; empty: none
  bool is_tls = false;
};

// The routes need no credential.
void add_oauth_routes(http::Router& router, OAuthOptions options);

}  // namespace oriel
