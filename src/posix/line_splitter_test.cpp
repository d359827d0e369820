#include "posix/line_splitter.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Line whole(std::string text) {
  const std::size_t size = text.size();
  return Line{.text = std::move(text), .size = size};
}

Line too_long(std::size_t size) {
  return Line{.text = "", .size = size, .is_too_long = true};
}

TEST(LineSplitter, CutsAtNewlinesAcrossPieces) {
  LineSplitter splitter(100);
  EXPECT_THAT(splitter.take("one\ntw"), ElementsAre(whole("one")));
  EXPECT_THAT(splitter.take("o"), IsEmpty());
  EXPECT_THAT(splitter.take("\n\nthree\n"), ElementsAre(whole("two"), whole(""), whole("three")));
  EXPECT_EQ(splitter.finish(), std::nullopt);
}

TEST(LineSplitter, GivesTheSameLinesForAnyPieces) {
  const std::string text = "a\xC3\xA4\n\n{\"k\":1}\r\nlast";
  LineSplitter at_once(100);
  std::vector<Line> expected = at_once.take(text);
  LineSplitter by_byte(100);
  std::vector<Line> lines;
  for (const char byte : text)
    for (Line& line : by_byte.take(std::string_view(&byte, 1)))
      lines.push_back(std::move(line));
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(by_byte.finish(), at_once.finish());
}

TEST(R_AGENT_4, HalfALineAtTheEndIsALine) {
  LineSplitter splitter(100);
  EXPECT_THAT(splitter.take("half"), IsEmpty());
  EXPECT_EQ(splitter.finish(), whole("half"));
  EXPECT_EQ(splitter.finish(), std::nullopt);
}

TEST(R_AGENT_4, ALineBeyondTheLimitIsReportedOnceWithItsSizeAndTheNextIsRead) {
  LineSplitter splitter(4);
  EXPECT_THAT(splitter.take("1234\n12345"), ElementsAre(whole("1234")));
  EXPECT_THAT(splitter.take("67890"), IsEmpty());
  EXPECT_THAT(splitter.take("\nok\n"), ElementsAre(too_long(10), whole("ok")));
  EXPECT_THAT(splitter.take("12345"), IsEmpty());
  EXPECT_EQ(splitter.finish(), too_long(5));
}

TEST(LineSplitter, PassesAnyBytesOn) {
  LineSplitter splitter(100);
  const std::string bytes("\xFF\0\x80", 3);
  EXPECT_THAT(splitter.take(bytes + "\n"), ElementsAre(whole(bytes)));
}

}  // namespace
}  // namespace oriel
