#include "transcript/transcript_lines.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr const char* kPrompt =
    R"({"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z",)"
    R"("message":{"role":"user","content":"hello"}})";

JsonlLine line_of(std::uint64_t offset, std::string text) {
  JsonlLine line;
  line.offset = offset;
  line.text = std::move(text);
  return line;
}

TEST(TranscriptLines, InvalidLinesAreSkippedWithTheirOffsets) {
  JsonlLine huge = line_of(40, "");
  huge.is_too_long = true;
  const ReadLines read = read_lines({line_of(0, "\x01\xff{"), huge, line_of(900, kPrompt)},
                                    std::nullopt, TranscriptFormat::kClaude);
  ASSERT_EQ(read.entries.size(), 1U);
  EXPECT_EQ(read.entries[0].text, "hello");
  ASSERT_EQ(read.skipped.size(), 2U);
  EXPECT_EQ(read.skipped[0].offset, 0U);
  EXPECT_EQ(read.skipped[1].offset, 40U);
  EXPECT_NE(read.skipped[0].why, "");
}

TEST(TranscriptLines, TheFirstLineThatShowsTheFormatDecides) {
  const ReadLines read = read_lines({line_of(0, kPrompt)}, std::nullopt, TranscriptFormat::kDroid);
  EXPECT_EQ(read.format, TranscriptFormat::kClaude);
  EXPECT_EQ(read_lines({}, std::nullopt, TranscriptFormat::kDroid).format, std::nullopt);
}

}  // namespace
}  // namespace oriel
