#include "base/text/line_diff.h"

#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

// One letter for each line: "ab" has the lines a and b.
std::string diff(std::string_view before, std::string_view after) {
  const auto lines = [](std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < text.size(); ++i)
      out.push_back(text.substr(i, 1));
    return out;
  };
  std::string out;
  for (const DiffLine& line : diff_lines(lines(before), lines(after))) {
    out += line.kind == DiffKind::kSame ? "" : line.kind == DiffKind::kAdded ? "+" : "-";
    out += line.text;
  }
  return out;
}

TEST(LineDiff, ShowsWhatWasRemovedAndAddedBetweenWhatStays) {
  EXPECT_EQ(diff("abc", "aBc"), "a-b+Bc");
  EXPECT_EQ(diff("abcdef", "abXdeYf"), "ab-c+Xde+Yf");
  EXPECT_EQ(diff("aXbYc", "abc"), "a-Xb-Yc");
}

TEST(LineDiff, EitherTextMayBeEmpty) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("", "ab"), "+a+b");
  EXPECT_EQ(diff("ab", ""), "-a-b");
  EXPECT_EQ(diff("ab", "ab"), "ab");
  EXPECT_EQ(diff("aa", "aaa"), "aa+a");
}

TEST(LineDiff, AHugeChangeShowsAllRemovedLinesThenAllAddedOnes) {
  const std::string before(1501, 'x');
  std::string expected = "a";
  for (std::size_t i = 0; i < before.size(); ++i)
    expected += "-x";
  EXPECT_EQ(diff("a" + before + "b", "ayb"), expected + "+yb");
}

}  // namespace
}  // namespace oriel
