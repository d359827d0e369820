#pragma once
// Access by bearer tokens: a request must name this server (OriginGuard) and carry a token that its
// route accepts. A server that only loopback reaches needs none while no token exists.

#include "auth/origin_guard.h"
#include "auth/token_store.h"
#include "http/access_control.h"

namespace oriel {

class TokenAccess final : public http::AccessControl {
 public:
  // `public_url` as for OriginGuard. `is_loopback_only`: the server listens on loopback.
  TokenAccess(const TokenStore& tokens, const std::string& public_url, bool is_loopback_only)
      : tokens_(tokens), guard_(public_url), is_loopback_only_(is_loopback_only) {}

  // 400 for a missing or malformed Host, 403 for a foreign Host or Origin.
  std::optional<http::Response> check_origin(const http::Request& request) const override;

  // 401 without a valid token, 403 for a token that may only read. Removes ?access_token= from the
  // query, so that no handler sees it.
  std::optional<http::Response> authorize(const http::Route& route,
                                          http::Request& request) const override;

 private:
  std::optional<http::Principal> authenticate(const http::Route& route,
                                              http::Request& request) const;

  const TokenStore& tokens_;
  OriginGuard guard_;
  bool is_loopback_only_;
};

}  // namespace oriel
