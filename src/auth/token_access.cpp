#include "auth/token_access.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <string>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

Response unauthorized() {
  Response response = error_response(
      401,
      {.code = "unauthorized",
       .message = "this server needs a token, and the request has no valid one",
       .hint = "send the header 'Authorization: Bearer <token>'; 'oriel token create' makes one"});
  response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"oriel\"");
  return response;
}

Response forbidden_write(const Principal& principal) {
  return error_response(403, {.code = "read_only_token",
                              .message = "the token " + quote(principal.name) + " may only read",
                              .hint = "use a token made without --read-only"});
}

std::optional<std::string> take_query_token(Request& request) {
  for (auto it = request.query.begin(); it != request.query.end(); ++it) {
    if (it->first != "access_token") continue;
    std::string token = std::move(it->second);
    request.query.erase(it);
    return token;
  }
  return std::nullopt;
}

std::optional<std::string> bearer_token(const Request& request) {
  const auto header = request.header("authorization");
  constexpr std::string_view kScheme = "bearer ";
  if (!header || header->size() <= kScheme.size()) return std::nullopt;
  if (!equal_ignoring_case(header->substr(0, kScheme.size()), kScheme)) return std::nullopt;
  return std::string(header->substr(kScheme.size()));
}

}  // namespace

std::optional<Response> TokenAccess::check_origin(const Request& request) const {
  const auto checked = guard_.check(request);
  if (checked) return std::nullopt;
  return error_response(checked.error().code == "bad_host" ? 400 : 403, checked.error());
}

std::optional<Response> TokenAccess::authorize(const Route& route, Request& request) const {
  if (route.access == Access::kOpen) return std::nullopt;
  auto principal = authenticate(route, request);
  if (!principal) return unauthorized();
  request.principal = *std::move(principal);
  if (route.access == Access::kWrite && !request.principal.may_write)
    return forbidden_write(request.principal);
  return std::nullopt;
}

std::optional<Principal> TokenAccess::authenticate(const Route& route, Request& request) const {
  std::optional<std::string> query_token;
  if (route.takes_query_token) query_token = take_query_token(request);
  if (is_loopback_only_ && tokens_.empty())
    return Principal{.name = "local", .token_id = "", .may_write = true};
  auto token = bearer_token(request);
  if (!token) token = std::move(query_token);
  if (!token) return std::nullopt;
  return tokens_.authenticate(*token);
}

}  // namespace oriel
