#include "auth/authenticator.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

http::Response unauthorized() {
  http::Response response = http::error_response(
      {.kind = ErrorKind::kUnauthorized,
       .message = "the request has no valid credential",
       .hint = "send 'Authorization: Bearer <token>' ('oriel token create' makes one), or "
               "open a link of 'oriel login-link' in the browser"});
  response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"oriel\"");
  return response;
}

http::Response missing_scope(const Principal& principal, Scope scope) {
  return http::error_response(
      {.kind = ErrorKind::kMissingScope,
       .message = fmt::format("{} lacks the scope {}", quote(principal.name), name_of(scope)),
       .hint = "use a token with this scope: 'oriel token create NAME --scopes ...'"});
}

AuthRefusal refusal_of(const Error& error) {
  return error.kind == ErrorKind::kForeignOrigin ? AuthRefusal::kOrigin : AuthRefusal::kHost;
}

std::optional<std::string> take_ticket(http::Request& request) {
  for (auto it = request.query.begin(); it != request.query.end(); ++it) {
    if (it->first != "ticket") continue;
    std::string ticket = std::move(it->second);
    request.query.erase(it);
    return ticket;
  }
  return std::nullopt;
}

std::optional<std::string_view> bearer_token(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  if (!equal_ignoring_case(header.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  return header.substr(kScheme.size());
}

// The value of this cookie in "a=1; b=2".
std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view cookie = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (cookie.starts_with(' '))
      cookie.remove_prefix(1);
    if (cookie.starts_with(name) && cookie.substr(name.size()).starts_with('='))
      return cookie.substr(name.size() + 1);
  }
  return std::nullopt;
}

// A proxy on this machine connects as its own user, whoever its client is.
bool came_through_proxy(const http::Request& request) {
  return std::any_of(request.headers.begin(), request.headers.end(), [](const auto& header) {
    const std::string& name = header.first;
    constexpr std::array<std::string_view, 7> kNames = {
        "forwarded",      "via",         "x-real-ip",    "cf-connecting-ip",
        "true-client-ip", "x-client-ip", "fly-client-ip"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
           name.starts_with("x-forwarded-") || name.starts_with("x-original-");
  });
}

// A sandbox reaches Oriel through a relay in this very process, so the kernel names the server's
// own user for it: the relay connects from another loopback address, which is never trusted.
bool has_trusted_address(const http::Request& request) {
  const std::string address = request.address();
  return address == "127.0.0.1" || address == "[::1]" || address == "[::ffff:127.0.0.1]" ||
         address == "unix";
}

bool is_preflight(const http::Request& request) {
  return request.method == "OPTIONS" && request.header("access-control-request-method");
}

}  // namespace

Authenticator::Authenticator(const TokenStore& tokens, TokenUses& uses, OneTimeCodes& tickets,
                             AuthRefusals& refusals, AuthOptions options, std::uint32_t server_user,
                             WallClock clock)
    : tokens_(tokens),
      uses_(uses),
      tickets_(tickets),
      refusals_(refusals),
      guard_(options.origins),
      local_trust_(options.local_trust),
      on_missing_scope_(std::move(options.on_missing_scope)),
      server_user_(server_user),
      clock_(std::move(clock)) {}

std::optional<http::Response> Authenticator::check(const http::Route* route,
                                                   http::Request& request) const {
  const bool is_open = route != nullptr && !route->scope;
  const auto origin = guard_.check(request, is_open);
  if (!origin) {
    refusals_.count(refusal_of(origin.error()));
    return http::error_response(origin.error());
  }
  if (origin->is_foreign_page && is_preflight(request)) {
    http::Response allowed;
    allowed.status = 204;
    return allowed;
  }
  if (route == nullptr || is_open) return std::nullopt;
  auto principal = authenticate(*route, request, *origin);
  if (!principal) return principal.error();
  request.principal = *std::move(principal);
  request.principal.address = request.address();
  // Tokens of agents are in no list that could show their use.
  const std::string& credential_id = request.principal.credential_id;
  const bool is_listed = !credential_id.empty() && request.principal.session_id.empty();
  if (is_listed) uses_.record(credential_id, clock_());
  if (request.principal.may(*route->scope)) return std::nullopt;
  refusals_.count(AuthRefusal::kScope);
  if (on_missing_scope_) on_missing_scope_(*route, request);
  return missing_scope(request.principal, *route->scope);
}

// A wrong token or ticket rejects the request. An invalid cookie is ignored for the operator,
// because browsers send it automatically.
Authenticator::Authenticated Authenticator::authenticate(const http::Route& route,
                                                         http::Request& request,
                                                         const RequestOrigin& origin) const {
  const WallTime now = clock_();
  if (const auto header = request.header("authorization")) {
    const auto secret = bearer_token(*header);
    auto owner = secret ? tokens_.authenticate(TokenKind::kBearer, *secret, now) : std::nullopt;
    if (!owner) return wrong_credential(request, AuthRefusal::kWrongToken);
    return *std::move(owner);
  }
  if (route.takes_ticket) {
    if (const auto ticket = take_ticket(request)) {
      auto owner = tickets_.redeem(*ticket, now);
      const bool is_valid = owner && tokens_.is_valid(*owner, now);
      if (!is_valid) return wrong_credential(request, AuthRefusal::kWrongTicket);
      return *std::move(owner);
    }
  }
  if (origin.is_foreign_page) return missing_credential();
  const auto secret = find_cookie(request.header("cookie").value_or(""), kLoginCookie);
  auto login = secret ? tokens_.authenticate(TokenKind::kBrowser, *secret, now) : std::nullopt;
  if (login) return *std::move(login);
  if (is_local(request, origin)) {
    return Principal{.name = std::string(kLocalPrincipal),
                     .credential_id = "",
                     .scopes = ScopeSet::all(),
                     .projects = {}};
  }
  return secret ? wrong_credential(request, AuthRefusal::kWrongCookie) : missing_credential();
}

http::Response Authenticator::missing_credential() const {
  refusals_.count(AuthRefusal::kMissingCredential);
  return unauthorized();
}

http::Response Authenticator::wrong_credential(const http::Request& request,
                                               AuthRefusal reason) const {
  const auto wait = refusals_.wrong_credential(request, reason, std::chrono::steady_clock::now());
  return wait.count() > 0 ? slow_down(wait) : unauthorized();
}

bool Authenticator::is_local(const http::Request& request, const RequestOrigin& origin) const {
  return local_trust_ == LocalTrust::kSameUser && request.peer_user == server_user_ &&
         has_trusted_address(request) && !origin.is_public_host && !came_through_proxy(request);
}

http::Headers Authenticator::response_headers(const http::Request& request) const {
  const auto origin = request.header("origin");
  if (!origin) return {};
  const auto checked = guard_.check(request, false);
  if (!checked || !checked->is_foreign_page) return {};
  http::Headers headers = {{"Access-Control-Allow-Origin", std::string(*origin)},
                           {"Vary", "Origin"},
                           {"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate"}};
  if (!is_preflight(request)) return headers;
  headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE");
  headers.emplace_back("Access-Control-Max-Age", "600");
  if (const auto wanted = request.header("access-control-request-headers"))
    headers.emplace_back("Access-Control-Allow-Headers", std::string(*wanted));
  return headers;
}

}  // namespace oriel
