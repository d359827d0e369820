#pragma once
// Metrics in the Prometheus text format.

#include "api/feed/feed_counters.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The sums over all shards.
struct FeedTotals {
  std::uint64_t opened = 0;
  std::uint64_t gaps = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t writes = 0;
  std::uint64_t heartbeats = 0;
  std::uint64_t stalled = 0;
  std::uint64_t latency_us_sum = 0;
  std::array<std::uint64_t, kLatencyBuckets> latency{};
};

FeedTotals sum_counters(const std::vector<const FeedCounters*>& shards);

// A value of one counter for each value of a label.
struct LabelledCount {
  std::string_view label;
  std::uint64_t count = 0;
};

class MetricsText {
 public:
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void counters(std::string_view name, std::string_view help, std::string_view label,
                const std::vector<LabelledCount>& values);
  void gauge(std::string_view name, std::string_view help, std::uint64_t value);
  void latency(std::string_view name, std::string_view help, const FeedTotals& totals);

  std::string take() { return std::move(text_); }

 private:
  void describe(std::string_view name, std::string_view help, std::string_view type);

  std::string text_;
};

}  // namespace oriel
