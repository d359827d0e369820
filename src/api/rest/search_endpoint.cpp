#include "api/rest/search_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "http/query.h"

#include <boost/json/array.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kSearchRetry{1};

// "a,b" and repeated parameters.
std::vector<std::string> list_of(const http::Request& request, std::string_view name) {
  std::vector<std::string> items;
  for (std::string_view values : http::query_values(request, name)) {
    while (true) {
      const std::size_t comma = std::min(values.find(','), values.size());
      items.emplace_back(values.substr(0, comma));
      if (comma == values.size()) break;
      values.remove_prefix(comma + 1);
    }
  }
  return items;
}

}  // namespace

Result<SearchRequest> parse_search_request(const http::Request& request) {
  const auto known = http::check_query(request, {"q", "project_id", "agent", "session_id", "types",
                                                 "role", "since", "until", "limit", "cursor"});
  if (!known) return known.error();
  const auto limit = query_number(request, "limit", kDefaultSearchLimit, 1, kMaxSearchLimit);
  if (!limit) return limit.error();
  const auto value = [&](std::string_view name) {
    return std::string(http::query_value(request, name).value_or(""));
  };
  return SearchRequest{.q = value("q"),
                       .project_id = value("project_id"),
                       .agent = value("agent"),
                       .session_id = value("session_id"),
                       .types = list_of(request, "types"),
                       .role = value("role"),
                       .since = value("since"),
                       .until = value("until"),
                       .cursor = value("cursor"),
                       .limit = *limit};
}

void SearchEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/search", Scope::kRead, [this](http::Request request, Shard& shard) {
                return search(std::move(request), shard);
              }});
}

asio::awaitable<http::Response> SearchEndpoint::search(http::Request request, Shard&) {
  auto wanted = parse_search_request(request);
  if (!wanted) co_return error_response(wanted.error());
  const auto answer = co_await search_.search(request.principal, *std::move(wanted));
  if (!answer) co_return error_response(answer.error(), kSearchRetry);
  json::array results;
  const SearchResults& found = answer->results;
  for (std::size_t i = 0; i < found.hits.size(); ++i)
    results.push_back(to_json(found.hits[i], *answer->sessions[i]));
  json::object body{{"results", std::move(results)},
                    {"has_more", found.next.has_value()},
                    {"pending_events", found.pending_events}};
  body["cursor"] = found.next ? json::value(format_search_cursor(*found.next)) : nullptr;
  co_return http::json_response(200, body);
}

}  // namespace oriel
