#include "api/feed/feed_counters.h"

#include <algorithm>
#include <bit>

namespace oriel {

void FeedCounters::count_latency(std::chrono::steady_clock::duration took) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  const auto whole = static_cast<std::uint64_t>(std::max<std::int64_t>(us, 0));
  const auto step = static_cast<std::uint64_t>(kLatencyStep.count());
  // The smallest k with 2^k >= steps.
  const auto steps = (whole + step - 1) / step;
  const auto bucket = static_cast<std::size_t>(steps <= 1 ? 0 : std::bit_width(steps - 1));
  latency[std::min(bucket, kLatencyBuckets - 1)].add(1);
  latency_us_sum.add(whole);
}

}  // namespace oriel
