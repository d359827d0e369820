#include "base/failure_log.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::seconds;
using testing::Eq;
using testing::Optional;

TEST(FailureLog, OneLinePerIntervalCountsThoseLeftOut) {
  FailureLog failures(seconds(10));
  const SteadyTime start{};
  EXPECT_THAT(failures.admit("disk full", start), Optional(Eq(0U)));
  EXPECT_EQ(failures.admit("disk full", start + seconds(1)), std::nullopt);
  EXPECT_EQ(failures.admit("disk full", start + seconds(9)), std::nullopt);
  EXPECT_THAT(failures.admit("disk full", start + seconds(10)), Optional(Eq(2U)));
  EXPECT_EQ(failures.admit("disk full", start + seconds(11)), std::nullopt);
}

TEST(FailureLog, ALineSaysWhatWasLeftOut) {
  EXPECT_EQ(FailureLog::note(0), "");
  EXPECT_EQ(FailureLog::note(2), " (2 such failures were not logged)");
}

TEST(FailureLog, AnotherCauseHasItsOwnLine) {
  FailureLog failures(seconds(10));
  const SteadyTime start{};
  EXPECT_THAT(failures.admit("disk full", start), Optional(Eq(0U)));
  EXPECT_THAT(failures.admit("read-only", start), Optional(Eq(0U)));
}

}  // namespace
}  // namespace oriel
