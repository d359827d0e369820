#include "api/rest/turn_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "http/query.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::int64_t kDefaultLimit = 100;
constexpr std::int64_t kMaxLimit = 1000;

Error invalid_query(std::string message, std::string hint) {
  return {
      .kind = ErrorKind::kInvalidParameter, .message = std::move(message), .hint = std::move(hint)};
}

Result<std::size_t> parse_limit(const http::Request& request) {
  const auto limit = query_number(request, "limit", kDefaultLimit, 1, kMaxLimit);
  if (!limit) return limit.error();
  return static_cast<std::size_t>(*limit);
}

Result<std::optional<TurnKey>> parse_key(const http::Request& request, std::string_view name) {
  const auto text = http::query_value(request, name);
  if (!text) return std::optional<TurnKey>();
  const auto key = parse_turn_key(*text);
  if (!key) return invalid_query(std::string(name) + ": " + key.error().message, key.error().hint);
  return std::optional<TurnKey>(*key);
}

}  // namespace

Result<TurnPageQuery> parse_turn_page(const http::Request& request) {
  if (auto known = http::check_query(request, {"after", "before", "limit"}); !known)
    return known.error();
  const auto after = parse_key(request, "after");
  if (!after) return after.error();
  const auto before = parse_key(request, "before");
  if (!before) return before.error();
  if (*after && *before)
    return invalid_query("after and before exclude each other",
                         "send one of them, or neither for the newest turns");
  const auto limit = parse_limit(request);
  if (!limit) return limit.error();
  return TurnPageQuery{.after = *after, .before = *before, .limit = *limit};
}

void TurnEndpoint::add_routes(http::Router& router) {
  using Member = asio::awaitable<http::Response> (TurnEndpoint::*)(http::Request, Shard&);
  const auto add = [&](const char* pattern, Member member) {
    router.add({"GET", pattern, Scope::kRead, [this, member](http::Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("/api/sessions/{id}/turns", &TurnEndpoint::turns);
  add("/api/sessions/{id}/tasks", &TurnEndpoint::tasks);
  add("/api/projects", &TurnEndpoint::projects);
}

asio::awaitable<http::Response> TurnEndpoint::turns(http::Request request, Shard&) {
  const auto query = parse_turn_page(request);
  if (!query) co_return error_response(query.error());
  std::string id(request.path_param("id"));
  auto turns = co_await sessions_.turns(request.principal, std::move(id));
  if (!turns) co_return error_response(turns.error());
  co_return http::json_response(200, to_json(page_of(*std::move(turns), *query)));
}

asio::awaitable<http::Response> TurnEndpoint::tasks(http::Request request, Shard&) {
  if (auto known = http::check_query(request, {"limit"}); !known)
    co_return error_response(known.error());
  const auto limit = parse_limit(request);
  if (!limit) co_return error_response(limit.error());
  std::string id(request.path_param("id"));
  const auto turns = co_await sessions_.turns(request.principal, std::move(id));
  if (!turns) co_return error_response(turns.error());
  co_return http::json_response(200, to_json(tasks_of(*turns), *limit));
}

asio::awaitable<http::Response> TurnEndpoint::projects(http::Request request, Shard&) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  const std::vector<ProjectInfo> projects = co_await sessions_.projects(request.principal);
  co_return http::json_response(200, to_json(projects));
}

}  // namespace oriel
