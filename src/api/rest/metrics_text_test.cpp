#include "api/rest/metrics_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

TEST(R_HEALTH_2, AHistogramsBucketsAreCumulative) {
  FeedCounters counters;
  counters.count_latency(10us);
  counters.count_latency(60us);
  MetricsText text;
  text.latency("t", "Help", sum_counters({&counters}));
  const std::string out = text.take();
  EXPECT_TRUE(out.starts_with("# HELP t Help\n# TYPE t histogram\n"));
  EXPECT_NE(out.find("t_bucket{le=\"5e-05\"} 1\n"), std::string::npos) << out;
  EXPECT_NE(out.find("t_bucket{le=\"0.0001\"} 2\n"), std::string::npos) << out;
  EXPECT_NE(out.find("t_bucket{le=\"+Inf\"} 2\n"), std::string::npos) << out;
  EXPECT_NE(out.find("t_sum 7e-05\nt_count 2\n"), std::string::npos) << out;
}

TEST(R_HEALTH_2, ACounterMayHaveAValueForEachLabel) {
  MetricsText text;
  text.counters("t_total", "Help", "limit", {{"a", 1}, {"b", 0}});
  EXPECT_EQ(text.take(),
            "# HELP t_total Help\n# TYPE t_total counter\n"
            "t_total{limit=\"a\"} 1\nt_total{limit=\"b\"} 0\n");
}

TEST(R_HEALTH_2, CountersOfAllShardsAddUp) {
  FeedCounters first;
  FeedCounters second;
  first.deliveries.add(2);
  second.deliveries.add(3);
  EXPECT_EQ(sum_counters({&first, &second}).deliveries, 5U);
}

}  // namespace
}  // namespace oriel
