#include "api/rest/hook_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "base/hook_kind.h"
#include "base/text/quote.h"
#include "http/query.h"
#include "supervisor/now.h"

#include <boost/json/object.hpp>

#include <charconv>
#include <utility>

namespace oriel {
namespace {

http::Response unknown_hook(std::string_view name) {
  std::string names;
  for (const HookKind kind : kHookKinds)
    names += (names.empty() ? "" : ", ") + std::string(name_of(kind));
  return error_response({.kind = ErrorKind::kUnknownHook,
                         .message = "there is no hook " + quote(name),
                         .hint = "choose from " + names});
}

}  // namespace

std::optional<std::int64_t> agent_pid(const http::Request& request) {
  const auto text = request.header("oriel-agent-pid");
  const bool is_operator = request.principal.credential_id.empty();
  if (!text || !is_operator) return std::nullopt;
  std::int64_t pid = 0;
  const char* const end = text->data() + text->size();
  const auto [last, problem] = std::from_chars(text->data(), end, pid);
  if (problem != std::errc() || last != end || pid <= 0) return std::nullopt;
  return pid;
}

void HookEndpoint::add_routes(http::Router& router) {
  router.add(
      {"POST", "/api/hooks/{kind}", Scope::kHooks,
       [this](http::Request request, Shard& shard) { return take(std::move(request), shard); }});
}

asio::awaitable<http::Response> HookEndpoint::take(http::Request request, Shard&) {
  const std::string_view name = request.path_param("kind");
  const auto kind = parse_hook_kind(name);
  if (!kind) co_return unknown_hook(name);
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  if (!has_json_body(request)) co_return not_json();
  auto hook = parse_hook(*kind, request.body);
  if (!hook) co_return error_response(hook.error());
  if (const auto pid = agent_pid(request)) hook->pid = pid;
  IncomingHook incoming{.hook = *std::move(hook),
                        .at = now(),
                        .bytes = request.body.size(),
                        .projects = request.principal.projects};
  const auto session_id = co_await supervisor_.observe(std::move(incoming));
  if (!session_id) co_return error_response(session_id.error());
  boost::json::object answer{{"session_id", *session_id}};
  co_return http::json_response(202, answer);
}

}  // namespace oriel
