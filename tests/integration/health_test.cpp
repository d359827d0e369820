// What the server says of itself: /health and /metrics.

#include "prometheus_text.h"
#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>
#include <string_view>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(R_HEALTH_1, HealthHasItsFields) {
  ServerProcess server({"--max-sse-clients", "9"});
  const HttpResponse response = get(server, "/health");
  EXPECT_EQ(response.status, 200);
  const boost::json::object health = response.json();
  EXPECT_EQ(health.at("status"), "ok");
  EXPECT_TRUE(health.at("problems").as_array().empty());
  EXPECT_GE(health.at("uptime_s").to_number<double>(), 0);
  EXPECT_TRUE(health.at("journal").is_object());
  const Finished version = run_oriel({"--version"});
  EXPECT_THAT(version.out, HasSubstr(std::string(health.at("version").as_string())));
  const boost::json::object& sse = health.at("sse").as_object();
  EXPECT_EQ(sse.at("status"), "ok");
  EXPECT_EQ(sse.at("active_connections"), 0);
  EXPECT_EQ(sse.at("max_connections"), 9);
  EXPECT_EQ(sse.at("running"), true);
}

TEST(R_HEALTH_1, ActiveConnectionsFollowTheStreams) {
  ServerProcess server;
  SseClient first(server);
  first.hello();
  EXPECT_EQ(active_streams(server), 1);
  {
    SseClient second(server);
    second.hello();
    EXPECT_EQ(active_streams(server), 2);
  }
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 1; }));
}

TEST(R_HEALTH_3, ADeletedJournalIsAProblemAndNothingMoreIsAcknowledged) {
  ServerProcess server;
  Publisher(server).publish_note();
  std::filesystem::remove(server.data_dir() / "journal.db");
  const auto is_degraded = [&] { return get(server, "/health").json().at("status") == "degraded"; };
  ASSERT_TRUE(eventually(is_degraded));

  const HttpResponse response = get(server, "/health");
  EXPECT_EQ(response.status, 200);
  const boost::json::object health = response.json();
  const boost::json::array& problems = health.at("problems").as_array();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(std::string(problems[0].as_string()), HasSubstr("journal.db was deleted"));
  EXPECT_EQ(health.at("sse").as_object().at("status"), "ok");

  const HttpResponse refused = post_event(server, R"({"type":"note"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.error_code(), "journal_failed");
  EXPECT_EQ(post_event(server, R"({"type":"note"})").status, 503);
  const std::string_view message = "no event is stored until the server is restarted";
  ASSERT_TRUE(server.has_logged(message));
  const std::string log = server.log();
  EXPECT_EQ(log.find(message, log.find(message) + 1), std::string::npos) << "one line";
}

TEST(R_HEALTH_3, ReadySaysWhetherEventsCanBeStored) {
  ServerProcess server;
  const HttpResponse ready = get(server, "/ready");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.json().at("status"), "ready");

  std::filesystem::remove(server.data_dir() / "journal.db");
  ASSERT_TRUE(eventually([&] { return get(server, "/ready").status == 503; }));
  const HttpResponse refused = get(server, "/ready");
  EXPECT_EQ(refused.header("retry-after"), "1");
  EXPECT_THAT(std::string(refused.json().at("reason").as_string()),
              HasSubstr("journal.db was deleted"));
  EXPECT_EQ(get(server, "/health").status, 200) << "it is alive";
}

Metrics scrape(const ServerProcess& server) {
  const HttpResponse response = get(server, "/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.header("content-type"), StartsWith("text/plain; version=0.0.4"));
  return parse_prometheus(response.body);
}

double bound_of(const std::string& bucket) {
  const std::string prefix = "_bucket{le=\"";
  const std::string bound = bucket.substr(prefix.size(), bucket.size() - prefix.size() - 2);
  return bound == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(bound);
}

// Buckets by their bound.
std::map<double, double> buckets_of(const Metric& histogram) {
  std::map<double, double> buckets;
  for (const auto& [key, value] : histogram.samples) {
    if (key.starts_with("_bucket{le=")) buckets[bound_of(key)] = value;
  }
  return buckets;
}

TEST(R_HEALTH_2, MetricsArePrometheusText) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher(server).publish_note();
  client.next_event();
  const Metrics metrics = scrape(server);
  EXPECT_GT(metrics.size(), 5u);
  for (const auto& [name, metric] : metrics) {
    EXPECT_THAT(name, StartsWith("oriel_"));
    EXPECT_FALSE(metric.samples.empty()) << name;
    EXPECT_EQ(metric.type == "counter", name.ends_with("_total")) << name;
  }
}

TEST(R_HEALTH_2, HistogramBucketsAreCumulative) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher publisher(server);
  for (int i = 0; i < 20; ++i)
    publisher.publish_note();
  client.next_events(20);
  int histograms = 0;
  for (const auto& [name, metric] : scrape(server)) {
    if (metric.type != "histogram") continue;
    ++histograms;
    double before = 0;
    for (const auto& [bound, value] : buckets_of(metric)) {
      EXPECT_GE(value, before) << name << " " << bound;
      before = value;
    }
    EXPECT_EQ(before, metric.samples.at("_count")) << name;
    EXPECT_EQ(before, metric.samples.at("_bucket{le=\"+Inf\"}")) << name;
    EXPECT_EQ(before, 20) << name;
    EXPECT_GE(metric.samples.at("_sum"), 0) << name;
  }
  EXPECT_EQ(histograms, 1);
}

TEST(R_HEALTH_2, CountersRiseWithWhatTheyCount) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  const Metrics before = scrape(server);
  Publisher publisher(server);
  for (int i = 0; i < 10; ++i)
    publisher.publish_note();
  client.next_events(10);
  SseClient(server, "/api/events?last_event_id=0").next_events(10);
  SseClient(server, "/api/events?last_event_id=9-0123456789abcdef").next_events(11);
  const Metrics after = scrape(server);
  const auto rise = [&](const std::string& name) {
    return after.at(name).samples.at("") - before.at(name).samples.at("");
  };
  EXPECT_EQ(rise("oriel_journal_events_total"), 10);
  EXPECT_EQ(rise("oriel_sse_deliveries_total"), 30);
  EXPECT_EQ(rise("oriel_sse_clients_total"), 2);
  EXPECT_EQ(rise("oriel_replays_total"), 2);
  EXPECT_EQ(rise("oriel_replayed_events_total"), 20);
  EXPECT_GE(rise("oriel_sse_bytes_total"), 3000);
  EXPECT_EQ(rise("oriel_gaps_total"), 1);
  EXPECT_GE(rise("oriel_http_requests_total"), 12);
}

}  // namespace
}  // namespace oriel
