#include "base/text/printable.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Printable, LeavesPlainTextAlone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("grüße, 世界 🙂"), "grüße, 世界 🙂");
}

TEST(Printable, DisarmsTerminalSequences) {
  EXPECT_EQ(printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m");  // CSI as a single C1 control
  EXPECT_EQ(printable("a\x7f\b\r"), "a\\x7f\\x08\\x0d");
}

TEST(Printable, KeepsEverythingOnOneLine) {
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable("a\xe2\x80\xa8"
                      "b"),
            "a\\u{2028}b");
}

TEST(Printable, ShowsDirectionMarks) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u{202e}b");
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                             // cut short
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, CutsAtTheWidthWithAnEllipsis) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdef", 5), "abcd…");
  EXPECT_EQ(printable("abcdef", 1), "…");
  EXPECT_EQ(printable("abcdef", 0), "");
  EXPECT_EQ(printable("", 0), "");
}

TEST(Printable, CountsWideCharactersAsTwoColumns) {
  EXPECT_EQ(printable("世界", 4), "世界");
  EXPECT_EQ(printable("世界", 3), "世…");
  EXPECT_EQ(printable("世界", 2), "…");
  EXPECT_EQ(display_width("世界"), 4U);
  EXPECT_EQ(display_width("e\xcc\x81"), 1U);
}

TEST(Printable, NeverCutsAnEscapeInTwo) {
  EXPECT_EQ(printable("a\x1b"
                      "b",
                      4),
            "a…");
  EXPECT_EQ(printable("a\x1b"
                      "b",
                      5),
            "a…");
  EXPECT_EQ(printable("a\x1b", 5), "a\\x1b");
}

TEST(Printable, LinesKeepTheirEndsAndTabsOnly) {
  EXPECT_EQ(printable_lines("a\r\n\tb\x1b[2J\xff\n"), "a\n\tb\\x1b[2J\\xff\n");
}

}  // namespace
}  // namespace oriel
