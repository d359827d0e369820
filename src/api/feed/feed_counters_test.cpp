#include "api/feed/feed_counters.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

TEST(R_HEALTH_2, ALatencyCountsInTheFirstBucketThatHoldsIt) {
  FeedCounters counters;
  for (const auto took : {0us, 50us, 51us, 100us, 101us})
    counters.count_latency(took);
  counters.count_latency(1h);
  EXPECT_EQ(counters.latency[0].get(), 2U);
  EXPECT_EQ(counters.latency[1].get(), 2U);
  EXPECT_EQ(counters.latency[2].get(), 1U);
  EXPECT_EQ(counters.latency[kLatencyBuckets - 1].get(), 1U);
}

TEST(R_HEALTH_2, LatenciesAddUp) {
  FeedCounters counters;
  counters.count_latency(10us);
  counters.count_latency(-1us);
  counters.count_latency(20us);
  EXPECT_EQ(counters.latency_us_sum.get(), 30U);
}

}  // namespace
}  // namespace oriel
