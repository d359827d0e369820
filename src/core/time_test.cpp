#include "core/time.h"

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

TEST(WallNow, DoesNotRunAheadOfTheSystemsClock) {
  const auto before =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const WallTime now = wall_now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, std::chrono::system_clock::now());
}

}  // namespace
}  // namespace oriel
