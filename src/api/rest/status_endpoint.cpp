#include "api/rest/status_endpoint.h"

#include "api/error_response.h"
#include "api/rest/metrics_text.h"
#include "http/query.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <utility>

namespace oriel {

namespace json = boost::json;

namespace {

std::vector<LabelledCount> refusals_in(const AuthRefusals& refusals) {
  std::vector<LabelledCount> counts;
  for (std::size_t i = 0; i < kAuthRefusals; ++i) {
    const auto reason = static_cast<AuthRefusal>(i);
    counts.push_back({name_of(reason), refusals.count_of(reason)});
  }
  return counts;
}

}  // namespace

std::string_view overall_status(bool is_running, bool is_sound) {
  if (!is_running) return "stopping";
  return is_sound ? "ok" : "degraded";
}

http::Response readiness(bool is_running, std::optional<std::string> refusal) {
  const std::optional<std::string> reason =
      is_running ? std::move(refusal) : "the server is stopping";
  json::object body;
  body["status"] = reason ? "not ready" : "ready";
  if (reason) body["reason"] = *reason;
  http::Response response = http::json_response(reason ? 503 : 200, body);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (reason) response.headers.emplace_back("Retry-After", "1");
  return response;
}

StatusEndpoint::StatusEndpoint(StatusSources sources, std::string version)
    : sources_(sources), version_(std::move(version)), started_(std::chrono::steady_clock::now()) {}

void StatusEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/health", http::kOpen, [this](http::Request request, Shard&) {
                return answer(std::move(request), &StatusEndpoint::health);
              }});
  router.add({"GET", "/ready", http::kOpen, [this](http::Request request, Shard&) {
                return answer(std::move(request), &StatusEndpoint::ready);
              }});
  router.add({"GET", "/metrics", Scope::kRead, [this](http::Request request, Shard&) {
                return answer(std::move(request), &StatusEndpoint::metrics);
              }});
}

asio::awaitable<http::Response> StatusEndpoint::answer(http::Request request,
                                                       http::Response (StatusEndpoint::*page)()
                                                           const) const {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  co_return (this->*page)();
}

http::Response StatusEndpoint::health() const {
  const auto uptime =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
  const bool is_running = sources_.feed.is_running();
  const std::optional<std::string> problem = sources_.journal.problem();
  json::object sse;
  sse["status"] = is_running ? "ok" : "stopping";
  sse["active_connections"] = sources_.feed.active_clients();
  sse["max_connections"] = sources_.feed.max_clients();
  sse["running"] = is_running;
  json::object journal;
  journal["epoch"] = sources_.journal.epoch();
  journal["head"] = sources_.journal.head();
  journal["oldest"] = sources_.journal.oldest();
  json::array problems;
  if (problem) problems.emplace_back(*problem);
  json::object body;
  body["status"] = overall_status(is_running, problems.empty());
  body["problems"] = std::move(problems);
  body["version"] = version_;
  body["uptime_s"] = uptime.count();
  body["sse"] = std::move(sse);
  body["journal"] = std::move(journal);
  // Always 200: restarting the server does not fix a full disk.
  http::Response response = http::json_response(200, body);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

http::Response StatusEndpoint::metrics() const {
  MetricsText text;
  const http::ServerCounts server = sources_.server.counts();
  text.gauge("oriel_http_connections", "Open connections, streams included", server.open);
  text.counter("oriel_http_accepted_total", "Connections accepted", server.accepted);
  text.counter("oriel_http_refused_total", "Connections refused over the limit",
               server.refused + server.refused_per_address);
  text.counter("oriel_http_evicted_total", "Idle connections closed to make room", server.evicted);
  text.counter("oriel_http_requests_total", "Requests read", server.requests);
  text.counter("oriel_auth_failures_total", "Requests with a wrong credential",
               sources_.auth_refusals.failures());
  text.counters("oriel_auth_refusals_total", "Requests refused for lack of access", "reason",
                refusals_in(sources_.auth_refusals));

  const JournalCounts journal = sources_.journal.counts();
  text.counter("oriel_journal_events_total", "Events committed", journal.appended);
  text.counter("oriel_journal_commits_total", "Transactions committed", journal.commits);
  text.counter("oriel_journal_failures_total", "Transactions that failed", journal.failures);
  text.gauge("oriel_journal_head", "Newest sequence", sources_.journal.head());
  text.gauge("oriel_journal_oldest", "Oldest held sequence", sources_.journal.oldest());

  const SearchStatus search = sources_.search.status();
  text.gauge("oriel_search_position", "Newest sequence that can be found", search.position);
  text.gauge("oriel_search_bytes", "Size of the search index", search.bytes);
  text.counter("oriel_searches_total", "Searches", search.searches);

  const HubCounts hub = sources_.hub.counts();
  text.counter("oriel_replays_total", "Subscriptions that replayed events", hub.replays);
  text.counter("oriel_replayed_events_total", "Events replayed", hub.replayed_frames);
  text.counter("oriel_demotions_total", "Full queues whose watchers went back to the journal",
               hub.demotions);

  const FeedTotals feed = sum_counters(sources_.feed.counters());
  text.counter("oriel_gaps_total", "Gaps announced", hub.gaps + feed.gaps);
  text.gauge("oriel_sse_clients", "Connected clients", sources_.feed.active_clients());
  text.gauge("oriel_sse_clients_max", "Clients allowed", sources_.feed.max_clients());
  text.counter("oriel_sse_clients_total", "Clients accepted", feed.opened);
  text.counter("oriel_sse_deliveries_total", "Events written to clients", feed.deliveries);
  text.counter("oriel_sse_bytes_total", "Bytes of events written to clients", feed.bytes);
  text.counter("oriel_sse_writes_total", "Writes to clients", feed.writes);
  text.counter("oriel_sse_heartbeats_total", "Heartbeats sent", feed.heartbeats);
  text.counter("oriel_sse_stalled_total", "Clients dropped as stalled", feed.stalled);
  text.latency("oriel_sse_delivery_seconds", "From commit to the client's socket", feed);

  const mcp::Counts mcp = sources_.mcp.counts();
  text.gauge("oriel_mcp_sessions", "Open MCP sessions", mcp.sessions);
  text.gauge("oriel_mcp_streams", "MCP streams with a connection", mcp.streams);
  text.gauge("oriel_mcp_stored_bytes", "Bytes stored for reconnecting clients", mcp.stored_bytes);

  const EventFeed& watchers = sources_.feed;
  text.counters("oriel_limit_refusals_total", "Refused for a limit of what is held in memory",
                "limit",
                {{"connections", server.refused},
                 {"connections_per_address", server.refused_per_address},
                 {"sse_clients", watchers.refused_clients(FullSlots::kAll)},
                 {"sse_clients_per_principal", watchers.refused_clients(FullSlots::kOfPrincipal)},
                 {"mcp_sessions", mcp.refused_sessions},
                 {"mcp_sessions_per_principal", mcp.refused_sessions_per_principal},
                 {"mcp_calls_per_session", mcp.refused_calls_per_session},
                 {"mcp_tasks", mcp.refused_tasks},
                 {"mcp_tasks_per_principal", mcp.refused_tasks_per_principal},
                 {"searches", search.refused}});
  return http::text_response(200, "text/plain; version=0.0.4; charset=utf-8", text.take());
}

}  // namespace oriel
