#include "auth/failed_attempts.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kFirstAttempt{24h};
const std::string kAddress = "192.0.2.1";

TEST(R_AUTH_6, AnAddressWaitsTwiceAsLongAfterEachFailure) {
  FailedAttempts attempts({.free_attempts = 2, .first_wait = 1s, .longest_wait = 5s});
  attempts.record(kAddress, kFirstAttempt);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt), 0s);
  attempts.record(kAddress, kFirstAttempt);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt), 1s);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt + 1s), 0s);
  attempts.record(kAddress, kFirstAttempt);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt), 2s);
  attempts.record(kAddress, kFirstAttempt);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt), 4s);
  for (int i = 0; i < 100; ++i)
    attempts.record(kAddress, kFirstAttempt);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt), 5s);
  EXPECT_EQ(attempts.wait("192.0.2.2", kFirstAttempt), 0s);
  EXPECT_EQ(attempts.total(), 104U);
}

TEST(R_AUTH_6, FailuresAreForgottenAfterAWhile) {
  FailedAttempts attempts({.free_attempts = 1, .forget_after = 60s});
  attempts.record(kAddress, kFirstAttempt);
  EXPECT_GT(attempts.wait(kAddress, kFirstAttempt), 0s);
  attempts.record(kAddress, kFirstAttempt + 60s);
  EXPECT_EQ(attempts.wait(kAddress, kFirstAttempt + 60s), 1s) << "counts as the first";
}

TEST(R_AUTH_6, MemoryIsBounded) {
  FailedAttempts attempts({.free_attempts = 1, .max_addresses = 2});
  attempts.record("a", kFirstAttempt);
  attempts.record("b", kFirstAttempt);
  attempts.record("c", kFirstAttempt);
  EXPECT_GT(attempts.wait("c", kFirstAttempt), 0s) << "those beyond the limit share one entry";
  EXPECT_GT(attempts.wait("d", kFirstAttempt), 0s);
}

TEST(R_AUTH_6, AFullTableIsSweptAtMostOnceASecond) {
  FailedAttempts attempts({.free_attempts = 2, .forget_after = 60s, .max_addresses = 2});
  attempts.record("a", kFirstAttempt);
  attempts.record("b", kFirstAttempt);
  attempts.record("c", kFirstAttempt + 59'500ms);  // sweeps, and finds nothing to forget
  attempts.record("d", kFirstAttempt + 60'200ms);
  EXPECT_GT(attempts.wait("d", kFirstAttempt + 60'200ms), 0s) << "shares the entry with c";
  attempts.record("e", kFirstAttempt + 60'500ms);
  EXPECT_EQ(attempts.wait("e", kFirstAttempt + 60'500ms), 0s) << "has an entry of its own";
}

}  // namespace
}  // namespace oriel
