#include "base/cursor.h"

#include <gmock/gmock.h>

#include <vector>

namespace oriel {
namespace {

using testing::HasSubstr;

constexpr const char* kEpoch = "k7q2mzx4k7q2mzx4";

TEST(R_SSE_10, CursorReadsBackAsItWasWritten) {
  for (const Sequence sequence : {Sequence{0}, Sequence{1}, Sequence{1042}, kMaxSequence}) {
    const Cursor cursor{.sequence = sequence, .epoch = kEpoch};
    const auto parsed = parse_cursor(format_cursor(cursor));
    ASSERT_TRUE(parsed) << sequence;
    EXPECT_EQ(*parsed, cursor);
  }
}

TEST(R_SSE_10, CursorNamesSequenceAndEpoch) {
  EXPECT_EQ(format_cursor({.sequence = 1042, .epoch = kEpoch}), "1042-k7q2mzx4k7q2mzx4");
}

TEST(R_SSE_10, CursorZeroIsBeforeEverything) {
  EXPECT_EQ(format_cursor(Cursor{}), "0");
  ASSERT_TRUE(parse_cursor("0"));
  EXPECT_EQ(*parse_cursor("0"), Cursor{});
}

TEST(R_SSE_10, MalformedCursorIsRefusedAndNamed) {
  const std::string epoch = kEpoch;
  const std::vector<std::string> malformed = {"",
                                              "1",
                                              "00",
                                              "-",
                                              "1-",
                                              "-" + epoch,
                                              "-1-" + epoch,
                                              "+1-" + epoch,
                                              " 1-" + epoch,
                                              "1 -" + epoch,
                                              "1-" + epoch + " ",
                                              "1-" + epoch + "x",
                                              "1-" + epoch.substr(1),
                                              "1-K7Q2MZX4K7Q2MZX4",
                                              "1-k7q2mzx4k7q2mzxu",
                                              "1.5-" + epoch,
                                              "0x1-" + epoch,
                                              "9223372036854775808-" + epoch,
                                              "99999999999999999999999-" + epoch,
                                              "1-" + epoch + "\n",
                                              std::string("1\0-", 3) + epoch};
  for (const std::string& text : malformed) {
    const auto parsed = parse_cursor(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInvalidCursor);
  }
  EXPECT_THAT(parse_cursor("what?").error().message, HasSubstr("\"what?\""));
}

}  // namespace
}  // namespace oriel
