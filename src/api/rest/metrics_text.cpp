#include "api/rest/metrics_text.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {

FeedTotals sum_counters(const std::vector<const FeedCounters*>& shards) {
  FeedTotals sum;
  for (const FeedCounters* shard : shards) {
    sum.opened += shard->opened.get();
    sum.gaps += shard->gaps.get();
    sum.deliveries += shard->deliveries.get();
    sum.bytes += shard->bytes.get();
    sum.writes += shard->writes.get();
    sum.heartbeats += shard->heartbeats.get();
    sum.stalled += shard->stalled.get();
    sum.latency_us_sum += shard->latency_us_sum.get();
    for (std::size_t i = 0; i < kLatencyBuckets; ++i)
      sum.latency[i] += shard->latency[i].get();
  }
  return sum;
}

void MetricsText::describe(std::string_view name, std::string_view help, std::string_view type) {
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricsText::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  describe(name, help, "counter");
  text_ += fmt::format("{} {}\n", name, value);
}

void MetricsText::counters(std::string_view name, std::string_view help, std::string_view label,
                           const std::vector<LabelledCount>& values) {
  describe(name, help, "counter");
  for (const LabelledCount& value : values)
    text_ += fmt::format("{}{{{}=\"{}\"}} {}\n", name, label, value.label, value.count);
}

void MetricsText::gauge(std::string_view name, std::string_view help, std::uint64_t value) {
  describe(name, help, "gauge");
  text_ += fmt::format("{} {}\n", name, value);
}

void MetricsText::latency(std::string_view name, std::string_view help, const FeedTotals& totals) {
  describe(name, help, "histogram");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < kLatencyBuckets; ++i) {
    count += totals.latency[i];
    if (i + 1 < kLatencyBuckets) {
      const double bound = std::chrono::duration<double>(kLatencyStep).count() *
                           static_cast<double>(std::uint64_t{1} << i);
      text_ += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, bound, count);
    } else {
      text_ += fmt::format("{}_bucket{{le=\"+Inf\"}} {}\n", name, count);
    }
  }
  text_ += fmt::format("{}_sum {}\n{}_count {}\n", name,
                       static_cast<double>(totals.latency_us_sum) / 1e6, name, count);
}

}  // namespace oriel
