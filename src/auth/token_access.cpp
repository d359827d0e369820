#include "auth/token_access.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"

#include <string>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

http::Response unauthorized() {
  http::Response response = http::error_response(
      401,
      {.kind = ErrorKind::kUnauthorized,
       .message = "this server needs a token, and the request has no valid one",
       .hint = "send the header 'Authorization: Bearer <token>'; 'oriel token create' makes one"});
  response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"oriel\"");
  return response;
}

http::Response forbidden_write(const http::Principal& principal) {
  return http::error_response(403,
                              {.kind = ErrorKind::kReadOnlyToken,
                               .message = "the token " + quote(principal.name) + " may only read",
                               .hint = "use a token made without --read-only"});
}

std::optional<std::string> take_query_token(http::Request& request) {
  for (auto it = request.query.begin(); it != request.query.end(); ++it) {
    if (it->first != "access_token") continue;
    std::string token = std::move(it->second);
    request.query.erase(it);
    return token;
  }
  return std::nullopt;
}

std::optional<std::string> bearer_token(const http::Request& request) {
  const auto header = request.header("authorization");
  constexpr std::string_view kScheme = "bearer ";
  if (!header || header->size() <= kScheme.size()) return std::nullopt;
  if (!equal_ignoring_case(header->substr(0, kScheme.size()), kScheme)) return std::nullopt;
  return std::string(header->substr(kScheme.size()));
}

}  // namespace

std::optional<http::Response> TokenAccess::check_origin(const http::Request& request) const {
  const auto checked = guard_.check(request);
  if (checked) return std::nullopt;
  return http::error_response(checked.error().kind == ErrorKind::kBadHost ? 400 : 403,
                              checked.error());
}

std::optional<http::Response> TokenAccess::authorize(const http::Route& route,
                                                     http::Request& request) const {
  if (route.access == http::Access::kOpen) return std::nullopt;
  auto principal = authenticate(route, request);
  if (!principal) return unauthorized();
  request.principal = *std::move(principal);
  if (route.access == http::Access::kWrite && !request.principal.may_write)
    return forbidden_write(request.principal);
  return std::nullopt;
}

std::optional<http::Principal> TokenAccess::authenticate(const http::Route& route,
                                                         http::Request& request) const {
  std::optional<std::string> query_token;
  if (route.takes_query_token) query_token = take_query_token(request);
  if (is_loopback_only_ && tokens_.empty())
    return http::Principal{.name = "local", .token_id = "", .may_write = true};
  auto token = bearer_token(request);
  if (!token) token = std::move(query_token);
  if (!token) return std::nullopt;
  return tokens_.authenticate(*token);
}

}  // namespace oriel
