#include "cli/render/age.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Age, OtherTextHasNoAge) {
  for (const char* text : {"", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
                           "2026-02-03T00:00:00", "2026-02-03"}) {
    EXPECT_EQ(age_of(text, WallTime()), "") << text;
  }
}

TEST(Age, UsesTheLargestUsefulUnit) {
  const WallTime now(std::chrono::hours(24 * 365));
  const auto age = [&](std::chrono::seconds ago) { return age_of(format_time(now - ago), now); };
  EXPECT_EQ(age(std::chrono::seconds(-5)), "0s");
  EXPECT_EQ(age(std::chrono::seconds(59)), "59s");
  EXPECT_EQ(age(std::chrono::minutes(59)), "59m");
  EXPECT_EQ(age(std::chrono::hours(47)), "47h");
  EXPECT_EQ(age(std::chrono::hours(48)), "2d");
}

}  // namespace
}  // namespace oriel
