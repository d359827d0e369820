#include "demo/workspace_facts.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DemoFacts, LinesWordsAndBytesAreCounted) {
  EXPECT_EQ(count_text(""), (TextCounts{0, 0, 0}));
  EXPECT_EQ(count_text("one two\n three"), (TextCounts{2, 3, 14}));
  EXPECT_EQ(count_text("\n\n"), (TextCounts{2, 0, 2}));
  TextCounts sum{1, 2, 3};
  sum += {10, 20, 30};
  EXPECT_EQ(sum, (TextCounts{11, 22, 33}));
}

TEST(DemoFacts, AWordIsFoundInWhateverCaseWithItsLineNumber) {
  EXPECT_THAT(matching_lines("a\nTodo: x\nno\nlast todo", "TODO", 9),
              ElementsAre("2: Todo: x", "4: last todo"));
  EXPECT_THAT(matching_lines("x\nx\nx", "x", 2), ElementsAre("1: x", "2: x"));
  EXPECT_THAT(matching_lines("", "x", 2), IsEmpty());
}

TEST(DemoFacts, TheFirstLineIsTheOneThatSaysSomething) {
  EXPECT_EQ(first_line("\n\n# Title\nmore"), "Title");
  EXPECT_EQ(first_line("=====\nTitle"), "Title");
  EXPECT_EQ(first_line("\n \n"), "");
  EXPECT_EQ(first_line(std::string(1000, 'x')).size(), 200u);
}

TEST(DemoFacts, KindsAreNamedByHowManyThereAre) {
  EXPECT_EQ(describe_kinds({{"a.md", 1}, {"b.cpp", 1}, {"b.h", 1}, {"Makefile", 1}, {"x.bin", 1}}),
            "2 C++, 1 Markdown, 2 other");
  EXPECT_EQ(describe_kinds({}), "");
}

TEST(DemoFacts, TheLargestComeFirst) {
  EXPECT_THAT(largest_files({{"a", 1}, {"b", 3}, {"c", 2}}, 2),
              ElementsAre(FileEntry{"b", 3}, FileEntry{"c", 2}));
}

TEST(DemoFacts, NumbersAreSaidAsPeopleSayThem) {
  EXPECT_EQ(counted(1, "file"), "1 file");
  EXPECT_EQ(counted(0, "file"), "0 files");
  EXPECT_EQ(describe_size(1), "1 byte");
  EXPECT_EQ(describe_size(1536), "1.5 KiB");
  EXPECT_EQ(describe_size(3 << 20), "3.0 MiB");
}

TEST(DemoFacts, ANulByteMakesItBinary) {
  EXPECT_TRUE(is_binary(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_binary("text \xff"));
}

}  // namespace
}  // namespace oriel
