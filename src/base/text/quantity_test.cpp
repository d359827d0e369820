#include "base/text/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace oriel {
namespace {

using std::chrono::milliseconds;

TEST(Quantity, ReadsADurationInEveryUnit) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("30s"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("2m"), milliseconds(120'000));
  EXPECT_EQ(parse_duration("1h"), milliseconds(3'600'000));
  EXPECT_EQ(parse_duration("30d"), milliseconds(2'592'000'000));
}

TEST(Quantity, ReadsZeroWithoutAUnit) {
  EXPECT_EQ(parse_duration("0"), milliseconds(0));
  EXPECT_EQ(parse_duration("0s"), milliseconds(0));
}

TEST(Quantity, RefusesWhatIsNotADuration) {
  for (const char* text : {"", "s", "30", "-1s", "+1s", "1.5s", "30 s", " 30s", "30s ", "30S",
                           "1m30s", "1w", "0x10s", "ten", "30s\n"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Quantity, RefusesADurationThatOverflows) {
  EXPECT_EQ(parse_duration("9223372036854775807ms"), milliseconds::max());
  EXPECT_FALSE(parse_duration("9223372036854775808ms"));
  EXPECT_FALSE(parse_duration("106751991168d"));
  EXPECT_FALSE(parse_duration("99999999999999999999s"));
}

TEST(Quantity, ReadsBytesInEveryUnit) {
  EXPECT_EQ(parse_bytes("1000"), 1000U);
  EXPECT_EQ(parse_bytes("64KiB"), 65'536U);
  EXPECT_EQ(parse_bytes("10MiB"), 10'485'760U);
  EXPECT_EQ(parse_bytes("4GiB"), 4'294'967'296U);
  EXPECT_EQ(parse_bytes("2TiB"), 2'199'023'255'552U);
}

TEST(Quantity, RefusesWhatIsNotASize) {
  for (const char* text :
       {"", "KiB", "-1", "+1", "1.5MiB", "10 MiB", "10MB", "10M", "10mib", "0x10"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(Quantity, RefusesASizeThatOverflows) {
  EXPECT_EQ(parse_bytes("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(parse_bytes("18446744073709551616"));
  EXPECT_EQ(parse_bytes("16777215TiB"), 16'777'215ULL << 40);
  EXPECT_FALSE(parse_bytes("16777216TiB"));
}

TEST(Quantity, ReadsOnlyWholeNumbers) {
  EXPECT_EQ(parse_number("0"), 0U);
  EXPECT_EQ(parse_number("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text :
       {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Quantity, WritesTheLargestUnitThatLosesNothing) {
  EXPECT_EQ(format_duration(milliseconds(0)), "0ms");
  EXPECT_EQ(format_duration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(format_duration(milliseconds(90'000)), "90s");
  EXPECT_EQ(format_duration(milliseconds(3'600'000)), "1h");
  EXPECT_EQ(format_duration(milliseconds(2'592'000'000)), "30d");
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(1000), "1000");
  EXPECT_EQ(format_bytes(1536), "1536");
  EXPECT_EQ(format_bytes(10 << 20), "10MiB");
}

TEST(Quantity, ReadsBackWhatItWrote) {
  for (const std::int64_t count :
       {0LL, 1LL, 999LL, 60'000LL, 61'000LL, 86'400'000LL, 7'200'000LL}) {
    EXPECT_EQ(parse_duration(format_duration(milliseconds(count))), milliseconds(count));
    EXPECT_EQ(parse_bytes(format_bytes(static_cast<std::uint64_t>(count))), count);
  }
}

}  // namespace
}  // namespace oriel
