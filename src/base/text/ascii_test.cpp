#include "base/text/ascii.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(LowerCase, ChangesAsciiLettersAlone) {
  EXPECT_EQ(lower_case("X-Forwarded_9[Z]\xC4"), "x-forwarded_9[z]\xC4");
}

TEST(EqualIgnoringCase, ComparesAsciiLettersAlone) {
  EXPECT_TRUE(equal_ignoring_case("Chunked", "cHUNKED"));
  EXPECT_TRUE(equal_ignoring_case("", ""));
  EXPECT_FALSE(equal_ignoring_case("chunked", "chunke"));
  EXPECT_FALSE(equal_ignoring_case("@", "`"));
  EXPECT_FALSE(equal_ignoring_case("\xC4", "\xE4"));
}

TEST(Stripped, TakesSpacesAndTabsOffBothEnds) {
  EXPECT_EQ(stripped(" \ta b\t "), "a b");
  EXPECT_EQ(stripped("a"), "a");
  EXPECT_EQ(stripped(" \t "), "");
  EXPECT_EQ(stripped(""), "");
  EXPECT_EQ(stripped("\na "), "\na");
}

TEST(IsBlank, NothingButWhiteSpaceIsBlank) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\r\n"));
  EXPECT_FALSE(is_blank(" a "));
}

TEST(InOneLine, LineBreaksBecomeSpaces) {
  EXPECT_EQ(in_one_line("a\nb\r\nc"), "a b  c");
  EXPECT_EQ(in_one_line("a b"), "a b");
}

}  // namespace
}  // namespace oriel
