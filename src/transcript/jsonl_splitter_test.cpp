#include "transcript/jsonl_splitter.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_TURN_3, AnIncompleteLineIsReturnedOnceItIsComplete) {
  JsonlSplitter splitter;
  EXPECT_TRUE(splitter.push("{\"a\":").empty());
  EXPECT_EQ(splitter.taken_offset(), 0U);
  EXPECT_EQ(splitter.read_offset(), 5U);
  const std::vector<JsonlLine> lines = splitter.push("1}\n{");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], (JsonlLine{.offset = 0, .text = "{\"a\":1}"}));
  EXPECT_EQ(splitter.taken_offset(), 8U);
}

TEST(JsonlSplitter, LinesDoNotDependOnThePieces) {
  const std::string file = "one\n\ntwo\r\n\xC3\xA9\nlast\n";
  const std::vector<JsonlLine> whole = JsonlSplitter().push(file);
  ASSERT_EQ(whole.size(), 4U);
  EXPECT_EQ(whole[1], (JsonlLine{.offset = 5, .text = "two"}));
  for (std::size_t cut = 0; cut <= file.size(); ++cut) {
    JsonlSplitter splitter;
    std::vector<JsonlLine> lines = splitter.push(std::string_view(file).substr(0, cut));
    // The same with a restart in between.
    JsonlSplitter next(splitter.taken_offset());
    for (JsonlLine& line : next.push(std::string_view(file).substr(splitter.taken_offset())))
      lines.push_back(std::move(line));
    EXPECT_EQ(lines, whole) << cut;
  }
}

TEST(JsonlSplitter, ALineThatIsTooLongIsSkippedWithItsOffset) {
  JsonlSplitter splitter(100, 4);
  EXPECT_TRUE(splitter.push("123").empty());
  EXPECT_TRUE(splitter.push("456789").empty());
  const std::vector<JsonlLine> lines = splitter.push("0\nnext\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], (JsonlLine{.offset = 100, .text = "", .is_too_long = true}));
  EXPECT_EQ(lines[1], (JsonlLine{.offset = 111, .text = "next"}));
}

}  // namespace
}  // namespace oriel
