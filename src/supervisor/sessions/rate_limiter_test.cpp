#include "supervisor/sessions/rate_limiter.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

const RateLimiter::Clock::time_point kBegin{1h};

TEST(RateLimiter, ABurstAfterSilenceWaitsForNothing) {
  RateLimiter limiter(10'000);
  EXPECT_LE(limiter.after(1000, kBegin), kBegin);
  EXPECT_LE(limiter.after(1000, kBegin + 1s), kBegin + 1s);
}

TEST(RateLimiter, AFloodIsReadAtTheGivenRate) {
  RateLimiter limiter(10'000);
  auto now = kBegin;
  for (int i = 0; i < 1000; ++i)
    now = std::max(now, limiter.after(100, now));
  EXPECT_EQ(now, kBegin + 10s - 100ms);
}

TEST(RateLimiter, WhoStaysBelowTheRateNeverWaits) {
  RateLimiter limiter(10'000);
  for (auto now = kBegin; now < kBegin + 10s; now += 20ms)
    EXPECT_LE(limiter.after(200, now), now);
}

TEST(RateLimiter, SilenceEarnsOneBurstAndNoMore) {
  RateLimiter limiter(10'000);
  limiter.after(1, kBegin);
  EXPECT_EQ(limiter.after(2000, kBegin + 1h), kBegin + 1h + 100ms);
}

}  // namespace
}  // namespace oriel
