#include "base/time.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string format_ms(std::int64_t since_epoch) {
  return format_time(WallTime(std::chrono::milliseconds(since_epoch)));
}

TEST(R_SHAPE_3, TimeIsRfc3339UtcWithMilliseconds) {
  EXPECT_EQ(format_ms(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_ms(951'782'400'001), "2000-02-29T00:00:00.001Z");
  EXPECT_EQ(format_ms(1'794'777'567'042), "2026-11-15T21:19:27.042Z");
  EXPECT_EQ(format_ms(1'767'225'599'999), "2025-12-31T23:59:59.999Z");
}

TEST(R_SHAPE_3, TimeBeforeTheEpochIsWholeToo) {
  EXPECT_EQ(format_ms(-1), "1969-12-31T23:59:59.999Z");
}

TEST(ParseTime, TimesAreReadAsTheyAreWritten) {
  const WallTime time(std::chrono::milliseconds(1'763'241'567'042));
  EXPECT_EQ(parse_time(format_time(time)), time);
  EXPECT_EQ(parse_time("1970-01-01T00:00:01Z"), WallTime(std::chrono::seconds(1)));
}

TEST(ParseTime, OtherProgramsWriteOtherFractions) {
  const WallTime half(std::chrono::milliseconds(500));
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.5Z"), half);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.500999999Z"), half);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.500000+00:00"), half);
}

TEST(ParseTime, WhatIsNoTimeIsNone) {
  for (const char* text :
       {"", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-02-03T00:00:00",
        "2026-02-03", "2026-02-03T24:00:00Z", "2026-02-03T00:00:00.Z", "2026-02-03T00:00:00.1",
        "2026-02-03T00:00:00Z and more", "2026-02-03T00:00:00+01:00"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

TEST(WallNow, DoesNotRunAheadOfTheSystemsClock) {
  const auto before =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const WallTime now = wall_now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, std::chrono::system_clock::now());
}

}  // namespace
}  // namespace oriel
