#include "api/rest/status_endpoint.h"

#include "api/error_response.h"
#include "api/rest/metrics_text.h"
#include "http/query.h"

#include <boost/json/object.hpp>

namespace oriel {

namespace json = boost::json;

StatusEndpoint::StatusEndpoint(StatusSources sources, std::string version)
    : sources_(sources), version_(std::move(version)), started_(std::chrono::steady_clock::now()) {}

void StatusEndpoint::add_routes(http::Router& router) {
  router.add({"GET", "/health", http::Access::kOpen, [this](http::Request request, Shard&) {
                return answer(std::move(request), &StatusEndpoint::health);
              }});
  router.add({"GET", "/metrics", http::Access::kRead, [this](http::Request request, Shard&) {
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
  const char* const status = sources_.feed.is_running() ? "ok" : "stopping";
  json::object sse;
  sse["status"] = status;
  sse["active_connections"] = sources_.feed.active_clients();
  sse["max_connections"] = sources_.feed.max_clients();
  sse["running"] = sources_.feed.is_running();
  json::object journal;
  journal["epoch"] = sources_.journal.epoch();
  journal["head"] = sources_.journal.head();
  journal["oldest"] = sources_.journal.oldest();
  json::object body;
  body["status"] = status;
  body["version"] = version_;
  body["uptime_s"] = uptime.count();
  body["sse"] = std::move(sse);
  body["journal"] = std::move(journal);
  http::Response response = http::json_response(200, body);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

http::Response StatusEndpoint::metrics() const {
  MetricsText text;
  const http::ServerCounts server = sources_.server.counts();
  text.gauge("oriel_http_connections", "Open connections, streams included", server.open);
  text.counter("oriel_http_accepted_total", "Connections accepted", server.accepted);
  text.counter("oriel_http_refused_total", "Connections refused over the limit", server.refused);
  text.counter("oriel_http_requests_total", "Requests read", server.requests);

  const JournalCounts journal = sources_.journal.counts();
  text.counter("oriel_journal_events_total", "Events committed", journal.appended);
  text.counter("oriel_journal_commits_total", "Transactions committed", journal.commits);
  text.counter("oriel_journal_failures_total", "Transactions that failed", journal.failures);
  text.gauge("oriel_journal_head", "Newest sequence", sources_.journal.head());
  text.gauge("oriel_journal_oldest", "Oldest held sequence", sources_.journal.oldest());

  const HubCounts hub = sources_.hub.counts();
  text.counter("oriel_replays_total", "Subscriptions that replayed events", hub.replays);
  text.counter("oriel_replayed_events_total", "Events replayed", hub.replayed_frames);
  text.counter("oriel_queue_overflows_total", "Streams ended by a full queue", hub.overflows);

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
  return http::text_response(200, "text/plain; version=0.0.4; charset=utf-8", text.take());
}

}  // namespace oriel
