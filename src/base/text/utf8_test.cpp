#include "base/text/utf8.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Utf8, KeepsWhatIsValid) {
  for (const std::string text : {"", "plain", "gr\xC3\xBC\xC3\x9F", "\xE2\x82\xAC", "\xED\x9F\xBF",
                                 "\xEE\x80\x80", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(valid_utf8(text), text);
  }
  EXPECT_EQ(valid_utf8(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(Utf8, ReplacesEachByteThatBelongsToNoSequence) {
  EXPECT_EQ(valid_utf8("a\xFF\xFE"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("a\x80z"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(valid_utf8("cut \xE2\x82"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xC3("), "\xEF\xBF\xBD(");
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndWhatIsBeyondUnicode) {
  for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                           "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(text));
    EXPECT_TRUE(is_utf8(valid_utf8(text)));
  }
}

TEST(Utf8, FirstAndLastBytesAreCutBetweenCharacters) {
  const std::string_view text = "a\xC3\xA9\xE2\x82\xAC";  // of 1, 2 and 3 bytes
  EXPECT_EQ(first_bytes(text, 6), text);
  EXPECT_EQ(first_bytes(text, 5), "a\xC3\xA9");
  EXPECT_EQ(first_bytes(text, 2), "a");
  EXPECT_EQ(first_bytes(text, 0), "");
  EXPECT_EQ(last_bytes(text, 6), text);
  EXPECT_EQ(last_bytes(text, 5), "\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(last_bytes(text, 4), "\xE2\x82\xAC");
  EXPECT_EQ(last_bytes(text, 2), "");
}

}  // namespace
}  // namespace oriel
