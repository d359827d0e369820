#include "search/snippet.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string marked(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '[') c = kMatchBegin;
    if (c == ']') c = kMatchEnd;
  }
  return out;
}

Snippet cut(std::string_view text) {
  return snippet_of(marked(text));
}

TEST(R_SEARCH_3, RangesCountCharacters) {
  EXPECT_EQ(cut("fix [Grüße] in [x]"), (Snippet{"fix Grüße in x", {{4, 9}, {13, 14}}}));
  EXPECT_EQ(cut("\U0001F389 [ok]"), (Snippet{"\U0001F389 ok", {{2, 4}}}));
}

TEST(R_SEARCH_3, ASnippetIsOneLine) {
  EXPECT_EQ(cut("  a\n\n [b]\t\tc"), (Snippet{"a b c", {{2, 3}}}));
  EXPECT_EQ(cut("[a\nb]\n"), (Snippet{"a b ", {{0, 3}}}));
}

TEST(R_SEARCH_3, ALongTextIsCutAroundItsFirstMatch) {
  const std::string filler(1000, 'x');
  const Snippet snippet = cut(filler + "[found]" + filler + "[again]");
  EXPECT_EQ(snippet.text,
            "\u2026" + std::string(80, 'x') + "found" + std::string(155, 'x') + "\u2026");
  EXPECT_EQ(snippet.ranges, (std::vector<TextRange>{{81, 86}}));
}

TEST(R_SEARCH_3, AMatchThatIsTooLongIsCut) {
  const Snippet snippet = cut("[" + std::string(5000, 'y') + "]");
  EXPECT_EQ(snippet.text, std::string(kMaxSnippet, 'y') + "\u2026");
  EXPECT_EQ(snippet.ranges, (std::vector<TextRange>{{0, kMaxSnippet}}));
}

TEST(R_SEARCH_3, UnbalancedMarksAreHarmless) {
  EXPECT_EQ(cut("a] [b"), (Snippet{"a b", {{2, 3}}}));
  EXPECT_EQ(cut(""), Snippet{});
}

}  // namespace
}  // namespace oriel
