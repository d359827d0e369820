#include "api/rest/session_events_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "http/error_status.h"
#include "http/query.h"

#include <boost/json/object.hpp>
#include <spdlog/fmt/fmt.h>

#include <limits>

namespace oriel {
namespace {

namespace json = boost::json;

// `data` lets a program continue from the oldest index.
http::Response purged(std::int64_t since, std::int64_t oldest) {
  const Error problem = purged_error(oldest);
  json::object error{{"code", code_of(problem.kind)},
                     {"message", problem.message},
                     {"hint", problem.hint},
                     {"data", {{"asked_index", since + 1}, {"oldest_index", oldest}}}};
  return http::json_response(http::status_of(problem.kind),
                             json::object{{"error", std::move(error)}});
}

}  // namespace

Result<EventsQuery> parse_events_query(const http::Request& request) {
  if (auto known = http::check_query(request, {"since_index", "limit", "types", "wait_ms"}); !known)
    return known.error();
  EventsQuery wanted;
  wanted.query.session_id = request.path_param("id");
  wanted.query.max_bytes = kMaxEventsBytes;
  for (const std::string_view names : http::query_values(request, "types")) {
    if (auto added = add_names(wanted.query.types, "types", names); !added) return added.error();
  }
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int64_t>::max() - 1;
  const auto since = query_number(request, "since_index", -1, -1, kMaxIndex);
  if (!since) return since.error();
  const auto limit = query_number(request, "limit", kDefaultEventsLimit, 1, kMaxEventsLimit);
  if (!limit) return limit.error();
  const auto wait = query_number(request, "wait_ms", 0, 0, kMaxEventsWait);
  if (!wait) return wait.error();
  wanted.query.after_index = *since;
  wanted.query.max_records = static_cast<std::size_t>(*limit);
  wanted.wait = std::chrono::milliseconds(*wait);
  return wanted;
}

void SessionEventsEndpoint::add_routes(http::Router& router) {
  router.add(
      {"GET", "/api/sessions/{id}/events", Scope::kRead,
       [this](http::Request request, Shard& shard) { return poll(std::move(request), shard); }});
}

asio::awaitable<http::Response> SessionEventsEndpoint::poll(http::Request request, Shard& shard) {
  auto wanted = parse_events_query(request);
  if (!wanted) co_return error_response(wanted.error());
  const std::int64_t since = wanted->query.after_index;
  const auto answer = co_await reader_.read(request.principal, *std::move(wanted), shard);
  if (!answer) co_return error_response(answer.error());
  const SessionPage& page = answer->page;
  if (answer->is_purged) co_return purged(since, page.oldest_index);

  std::string body = "{\"events\":[";
  for (const RecordPtr& record : page.records) {
    if (body.back() != '[') body += ',';
    body += record->json();
  }
  body += fmt::format("],\"last_index\":{},\"oldest_index\":{},\"has_more\":{},\"status\":\"{}\"}}",
                      page.scanned_until, page.oldest_index, answer->has_more(),
                      name_of(answer->status));
  co_return http::text_response(200, "application/json", std::move(body));
}

}  // namespace oriel
