#pragma once
// Authenticates requests and checks the scope of their route. The operator on this machine needs no
// credential, because the kernel names the user of a local connection; everybody else needs a
// token, a browser login or a ticket.

#include "auth/auth_refusals.h"
#include "auth/one_time_codes.h"
#include "auth/origin_guard.h"
#include "auth/token_store.h"
#include "auth/token_uses.h"
#include "http/access_control.h"

#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>

namespace oriel {

enum class LocalTrust {
  // Clients of the server's own user on 127.0.0.1, ::1 or the Unix socket are "local".
  kSameUser,
  kNone,  // everybody needs a credential
};

struct AuthOptions {
  OriginOptions origins = {};
  LocalTrust local_trust = LocalTrust::kSameUser;
  // Called on the request's shard for a request whose principal lacks the route's scope.
  std::function<void(const http::Route& route, const http::Request& request)> on_missing_scope = {};
};

// Name of the cookie with the secret of a browser login.
constexpr std::string_view kLoginCookie = "oriel_login";

class Authenticator final : public http::AccessControl {
 public:
  // `server_user` is the user of this process.
  Authenticator(const TokenStore& tokens, TokenUses& uses, OneTimeCodes& tickets,
                AuthRefusals& refusals, AuthOptions options, std::uint32_t server_user,
                WallClock clock = wall_now);

  // 400 for a missing or malformed Host, 403 for a foreign Host or Origin, 401 without a valid
  // credential, 429 for a further wrong one after too many, 403 for one without the route's scope.
  // A ticket is removed from the query. The use of a credential is recorded, and refusals are
  // counted.
  std::optional<http::Response> check(const http::Route* route,
                                      http::Request& request) const override;

  // CORS headers for allowed origins.
  http::Headers response_headers(const http::Request& request) const override;

 private:
  using Authenticated = boost::system::result<Principal, http::Response>;

  Authenticated authenticate(const http::Route& route, http::Request& request,
                             const RequestOrigin& origin) const;
  http::Response missing_credential() const;
  http::Response wrong_credential(const http::Request& request, AuthRefusal reason) const;
  bool is_local(const http::Request& request, const RequestOrigin& origin) const;

  const TokenStore& tokens_;
  TokenUses& uses_;
  OneTimeCodes& tickets_;
  AuthRefusals& refusals_;
  OriginGuard guard_;
  LocalTrust local_trust_;
  std::function<void(const http::Route&, const http::Request&)> on_missing_scope_;
  std::uint32_t server_user_;
  WallClock clock_;
};

}  // namespace oriel
