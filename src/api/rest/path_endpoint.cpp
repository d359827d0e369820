#include "api/rest/path_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "http/query.h"

#include <boost/json/value_from.hpp>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultPaths = 20;
constexpr std::int64_t kMaxPaths = 100;
constexpr std::size_t kMaxTyped = 256;

struct PathQuery {
  std::string typed;
  std::size_t most = 0;
};

Result<PathQuery> parse_path_query(const http::Request& request) {
  if (auto known = http::check_query(request, {"match", "limit"}); !known) return known.error();
  const auto limit = query_number(request, "limit", kDefaultPaths, 1, kMaxPaths);
  if (!limit) return limit.error();
  std::string typed(http::query_value(request, "match").value_or(""));
  if (typed.size() > kMaxTyped) {
    return Error{.kind = ErrorKind::kInvalidParameter,
                 .message = "match: exceeds 256 bytes",
                 .hint = "send the beginning or a part of the path"};
  }
  return PathQuery{.typed = std::move(typed), .most = static_cast<std::size_t>(*limit)};
}

}  // namespace

// For those who may write to agents: an agent could tell them, too.
void PathEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/sessions/{id}/paths", Scope::kStart,
              [this](http::Request request, Shard&) { return find(std::move(request)); }});
  router.add({"GET", "/api/directories", Scope::kStart, [this](http::Request request, Shard&) {
                return find_directories(std::move(request));
              }});
}

asio::awaitable<http::Response> PathEndpoint::find(http::Request request) {
  auto query = parse_path_query(request);
  if (!query) co_return error_response(query.error());
  auto finding = sessions_.paths(request.principal, std::string(request.path_param("id")),
                                 std::move(query->typed), query->most);
  const auto found = co_await std::move(finding);
  if (!found) co_return error_response(found.error());
  co_return http::json_response(200, json::object{{"paths", json::value_from(found->paths)},
                                                  {"is_complete", found->is_complete}});
}

asio::awaitable<http::Response> PathEndpoint::find_directories(http::Request request) {
  const auto query = parse_path_query(request);
  if (!query) co_return error_response(query.error());
  const std::string typed = with_home(query->typed, home_);
  auto finding = sessions_.directories(request.principal, typed, query->most);
  const FoundPaths found = co_await std::move(finding);
  co_return http::json_response(200, json::object{{"directories", json::value_from(found.paths)},
                                                  {"match", typed},
                                                  {"is_complete", found.is_complete}});
}

}  // namespace oriel
