#include "api/rest/login_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "auth/authenticator.h"
#include "base/id.h"
#include "base/text/quote.h"
#include "http/query.h"

#include <boost/json/value_from.hpp>
#include <spdlog/fmt/fmt.h>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

// What a browser may do unless the link says otherwise: everything of the page but administration.
constexpr ScopeSet kBrowserScopes = {Scope::kRead, Scope::kAnswer, Scope::kStart};

std::int64_t seconds_of(std::chrono::milliseconds duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

std::string cookie(const std::string& value, std::chrono::milliseconds ttl,
                   const http::Request& request) {
  // A browser names the origin of its page with every POST, and the origin is checked.
  const bool is_https = request.header("origin").value_or("").starts_with("https://");
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", kLoginCookie, value,
                     seconds_of(ttl), is_https ? "; Secure" : "");
}

Error too_many_codes() {
  return {.kind = ErrorKind::kTooManyRequests,
          .message = "too many links or tickets are open",
          .hint = "use them, or wait until they expire"};
}

Error used_up() {
  return {.kind = ErrorKind::kUnauthorized,
          .message = "this login link is unknown, was used or has expired",
          .hint = "create another one: oriel login-link"};
}

// A link grants at most what its creator has.
Principal read_grant(JsonBody& body, const Principal& creator) {
  Principal grant{.name = body.name("name"),
                  .credential_id = creator.credential_id,
                  .scopes = {},
                  .projects = body.names("projects")};
  for (const std::string& name : body.texts("scopes")) {
    const auto scope = parse_scope(name);
    if (!scope)
      body.refuse("scopes", "has the unknown scope " + quote(name));
    else if (!creator.may(*scope))
      body.refuse("scopes", "has " + name + ", which you lack");
    else
      grant.scopes.insert(*scope);
  }
  if (!body.has("scopes")) {
    for (const Scope scope : kBrowserScopes.list()) {
      if (creator.may(scope)) grant.scopes.insert(scope);
    }
  }
  if (grant.projects.empty()) grant.projects = creator.projects;
  for (const std::string& project : grant.projects) {
    if (!creator.sees(project))
      body.refuse("projects", "has " + project + ", which you do not see");
  }
  return grant;
}

}  // namespace

void LoginEndpoint::add_routes(http::Router& router) {
  using Member = asio::awaitable<http::Response> (LoginEndpoint::*)(http::Request, Shard&);
  const auto add = [&](const char* method, const char* path, std::optional<Scope> scope,
                       Member member) {
    router.add({method, path, scope, [this, member](http::Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("POST", "/api/login-links", Scope::kAdmin, &LoginEndpoint::create_link);
  add("POST", "/api/login", http::kOpen, &LoginEndpoint::log_in);
  add("POST", "/api/logout", Scope::kRead, &LoginEndpoint::log_out);
  add("POST", "/api/tickets", Scope::kRead, &LoginEndpoint::create_ticket);
  add("GET", "/api/me", Scope::kRead, &LoginEndpoint::show_me);
}

asio::awaitable<http::Response> LoginEndpoint::create_link(http::Request request, Shard&) {
  JsonBody body(request, {"name", "scopes", "projects"});
  const Principal grant = read_grant(body, request.principal);
  if (body.refusal()) co_return *body.refusal();
  const auto code = links_.issue(grant, wall_now());
  if (!code) co_return error_response(too_many_codes());
  event::Audit audit = audit_of(request.principal, AuditAction::kLink);
  co_await audit_.record(std::move(audit), "");
  json::object answer{{"path", "/#login=" + *code},
                      {"public_url", options_.public_url},
                      {"expires_in_s", seconds_of(options_.link_ttl)}};
  co_return http::json_response(201, answer);
}

asio::awaitable<http::Response> LoginEndpoint::log_in(http::Request request, Shard&) {
  JsonBody body(request, {"code"});
  const std::string code = body.text("code");
  if (body.refusal()) co_return *body.refusal();
  const WallTime now = wall_now();
  auto grant = links_.redeem(code, now);
  if (!grant && options_.redeem_elsewhere) {
    auto redeeming = options_.redeem_elsewhere(code);
    grant = co_await std::move(redeeming);
  }
  const bool is_valid = grant && tokens_.is_valid(*grant, now);
  if (!is_valid) co_return wrong_code(request);
  const std::string name = grant->name.empty() ? "browser" : grant->name;
  TokenSpec spec{.name = name + "-" + random_id().substr(0, 6),
                 .kind = TokenKind::kBrowser,
                 .scopes = grant->scopes,
                 .projects = std::move(grant->projects),
                 .expires = now + options_.login_ttl,
                 .creator = grant->credential_id};
  auto create = [this, now, spec = std::move(spec)] {
    tokens_.remove_expired_logins(now);
    return tokens_.create(spec);
  };
  const auto made = co_await blocking_.run(std::move(create));
  if (!made) co_return error_response(made.error());
  if (options_.share) co_await options_.share();
  event::Audit audit{.action = AuditAction::kLogin,
                     .by = made->token.name,
                     .address = request.address(),
                     .session_id = {}};
  co_await audit_.record(std::move(audit), "");
  json::object answer{{"name", made->token.name}};
  http::Response response = http::json_response(200, answer);
  const auto ttl =
      std::chrono::duration_cast<std::chrono::milliseconds>(*made->token.expires - now);
  response.headers.emplace_back("Set-Cookie", cookie(made->secret, ttl, request));
  co_return response;
}

http::Response LoginEndpoint::wrong_code(const http::Request& request) {
  const auto now = std::chrono::steady_clock::now();
  const auto wait = refusals_.wrong_credential(request, AuthRefusal::kWrongCode, now);
  return wait.count() > 0 ? slow_down(wait) : error_response(used_up());
}

asio::awaitable<http::Response> LoginEndpoint::log_out(http::Request request, Shard&) {
  const JsonBody body(request, {});
  if (body.refusal()) co_return *body.refusal();
  auto revoke = [this, id = request.principal.credential_id] { tokens_.revoke_browser(id); };
  co_await blocking_.run(std::move(revoke));
  if (options_.share) co_await options_.share();
  event::Audit audit = audit_of(request.principal, AuditAction::kLogout);
  co_await audit_.record(std::move(audit), "");
  http::Response response;
  response.status = 204;
  response.headers.emplace_back("Set-Cookie", cookie("", std::chrono::seconds(0), request));
  co_return response;
}

asio::awaitable<http::Response> LoginEndpoint::show_me(http::Request request, Shard&) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  json::array scopes;
  for (const Scope scope : request.principal.scopes.list())
    scopes.emplace_back(name_of(scope));
  json::object answer{{"name", request.principal.name},
                      {"scopes", std::move(scopes)},
                      {"projects", json::value_from(request.principal.projects)}};
  co_return http::json_response(200, answer);
}

asio::awaitable<http::Response> LoginEndpoint::create_ticket(http::Request request, Shard&) {
  const JsonBody body(request, {});
  if (body.refusal()) co_return *body.refusal();
  Principal reader = request.principal;
  reader.scopes = {Scope::kRead};
  const auto ticket = tickets_.issue(reader, wall_now());
  if (!ticket) co_return error_response(too_many_codes());
  json::object answer{{"ticket", *ticket}, {"expires_in_s", seconds_of(options_.ticket_ttl)}};
  co_return http::json_response(201, answer);
}

}  // namespace oriel
