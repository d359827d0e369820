#include "api/rest/path_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "http/query.h"

#include <boost/json/value_from.hpp>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultLimit = 20;
constexpr std::int64_t kMaxLimit = 100;
constexpr std::size_t kMaxTyped = 256;

}  // namespace

// For those who may write to the agent: it could tell them, too.
void PathEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/sessions/{id}/paths", Scope::kStart,
              [this](http::Request request, Shard&) { return find(std::move(request)); }});
}

asio::awaitable<http::Response> PathEndpoint::find(http::Request request) {
  if (auto known = http::check_query(request, {"match", "limit"}); !known)
    co_return error_response(known.error());
  const auto limit = query_number(request, "limit", kDefaultLimit, 1, kMaxLimit);
  if (!limit) co_return error_response(limit.error());
  std::string typed(http::query_value(request, "match").value_or(""));
  if (typed.size() > kMaxTyped) {
    co_return error_response({.kind = ErrorKind::kInvalidParameter,
                              .message = "match: exceeds 256 bytes",
                              .hint = "send a part of the path"});
  }
  auto finding = sessions_.paths(request.principal, std::string(request.path_param("id")),
                                 std::move(typed), static_cast<std::size_t>(*limit));
  const auto found = co_await std::move(finding);
  if (!found) co_return error_response(found.error());
  co_return http::json_response(200, json::object{{"paths", json::value_from(found->paths)},
                                                  {"is_complete", found->is_complete}});
}

}  // namespace oriel
