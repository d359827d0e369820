#include "api/rest/audit_endpoint.h"

#include "api/error_response.h"
#include "api/query_number.h"
#include "base/cursor.h"
#include "http/query.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultAuditLimit = 100;
constexpr std::int64_t kMaxAuditLimit = 1000;

// A cursor of an epoch that has ended starts at the oldest record.
Result<ReadQuery> parse_audit_query(const http::Request& request, const std::string& epoch) {
  if (auto known = http::check_query(request, {"after", "limit"}); !known) return known.error();
  const auto limit = query_number(request, "limit", kDefaultAuditLimit, 1, kMaxAuditLimit);
  if (!limit) return limit.error();
  const auto after = parse_cursor(http::query_value(request, "after").value_or("0"));
  if (!after) return after.error();
  ReadQuery query;
  query.filter.is_audit = true;
  query.filter.projects = request.principal.projects;
  if (!request.principal.session_id.empty()) query.filter.sessions = {request.principal.session_id};
  query.max_records = static_cast<std::size_t>(*limit);
  if (after->epoch == epoch) query.after = after->sequence;
  return query;
}

}  // namespace

void AuditEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/api/audit", Scope::kAdmin, [this](http::Request request, Shard& shard) {
                return list(std::move(request), shard);
              }});
}

asio::awaitable<http::Response> AuditEndpoint::list(http::Request request, Shard&) {
  auto query = parse_audit_query(request, journal_.epoch());
  if (!query) co_return error_response(query.error());
  const Page page = co_await journal_.read(*std::move(query));
  json::array entries;
  for (const RecordPtr& record : page.records)
    entries.push_back(json::parse(record->json()));
  const Cursor next{.sequence = page.scanned_until, .epoch = journal_.epoch()};
  json::object answer{{"entries", std::move(entries)},
                      {"next", format_cursor(next)},
                      {"has_more", page.scanned_until < journal_.head()}};
  co_return http::json_response(200, answer);
}

}  // namespace oriel
