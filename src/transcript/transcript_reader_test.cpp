#include "transcript/transcript_reader.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string line(const std::string& text) {
  return R"({"type":"user","uuid":"u-)" + text + R"(","message":{"role":"user","content":")" +
         text + "\"}}\n";
}

class TranscriptReaderTest : public testing::Test {
 protected:
  TranscriptReader reader_of(std::string_view content, std::uint64_t offset = 0,
                             TranscriptReaderOptions options = {}) {
    directory_.add("a.jsonl", content);
    const std::string path = (directory_ / "a.jsonl").string();
    file_ = FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return {file_.get(), offset, content.size(), TranscriptFormat::kClaude, options};
  }

  // The texts of all entries, and what was skipped.
  std::vector<std::string> texts(TranscriptReader& reader) {
    std::vector<std::string> texts;
    bool is_last = false;
    while (!is_last) {
      const Result<TranscriptPiece> piece = reader.next();
      EXPECT_TRUE(piece);
      for (const TranscriptEntry& entry : piece->read.entries)
        texts.push_back(entry.text);
      for (const SkippedLine& skipped : piece->read.skipped)
        skipped_.push_back(std::to_string(skipped.offset) + ": " + skipped.why);
      bytes_ += piece->bytes;
      offset_ = piece->offset;
      is_last = piece->is_last;
    }
    return texts;
  }

  TempDirectory directory_;
  FileDescriptor file_;
  std::vector<std::string> skipped_;
  std::uint64_t bytes_ = 0;
  std::uint64_t offset_ = 0;
};

TEST_F(TranscriptReaderTest, ALineEndsBeforeAnOffsetAtTheBeginningAndBehindALineBreak) {
  reader_of("ab\nc");
  EXPECT_TRUE(is_line_end(file_.get(), 0));
  EXPECT_TRUE(is_line_end(file_.get(), 3));
  for (const std::uint64_t offset : {1U, 2U, 4U, 5U})
    EXPECT_FALSE(is_line_end(file_.get(), offset)) << offset;
}

TEST_F(TranscriptReaderTest, LinesDoNotDependOnThePieceSize) {
  const std::string content = line("one") + line("two") + line("three");
  for (const std::size_t size : {1U, 7U, 100U, 1000U}) {
    bytes_ = 0;
    TranscriptReader reader = reader_of(content, 0, {.piece_bytes = size});
    EXPECT_THAT(texts(reader), ElementsAre("one", "two", "three")) << size;
    EXPECT_EQ(bytes_, content.size());
    EXPECT_EQ(offset_, content.size());
  }
}

TEST_F(TranscriptReaderTest, ReadingStartsAtTheOffset) {
  TranscriptReader reader = reader_of(line("one") + line("two"), line("one").size());
  EXPECT_THAT(texts(reader), ElementsAre("two"));
}

TEST_F(TranscriptReaderTest, AnIncompleteLineIsNotRead) {
  TranscriptReader reader = reader_of(line("one") + line("two").substr(0, 20));
  EXPECT_THAT(texts(reader), ElementsAre("one"));
  EXPECT_EQ(offset_, line("one").size());
  EXPECT_THAT(skipped_, IsEmpty());
}

TEST_F(TranscriptReaderTest, AnEmptyFileIsOneEmptyPiece) {
  TranscriptReader reader = reader_of("");
  EXPECT_THAT(texts(reader), IsEmpty());
  EXPECT_EQ(offset_, 0U);
}

TEST_F(TranscriptReaderTest, InvalidLinesAreSkippedWithTheirOffsets) {
  const std::string garbage = std::string("\0\xff\x01{[", 5) + "\n";
  const std::string huge = line(std::string(500, 'x'));
  TranscriptReader reader = reader_of(line("one") + garbage + huge + line("two"), 0,
                                      {.piece_bytes = 64, .max_line = 300});
  EXPECT_THAT(texts(reader), ElementsAre("one", "two"));
  const std::size_t first = line("one").size();
  EXPECT_THAT(skipped_,
              ElementsAre(std::to_string(first) + ": not a JSON object",
                          std::to_string(first + garbage.size()) + ": the line is too long"));
}

TEST_F(TranscriptReaderTest, ATruncatedFileEnds) {
  TranscriptReader reader = reader_of(line("one") + line("two"), 0, {.piece_bytes = 8});
  std::filesystem::resize_file(directory_ / "a.jsonl", line("one").size());
  EXPECT_THAT(texts(reader), ElementsAre("one"));
}

TEST_F(TranscriptReaderTest, AReadErrorIsReturned) {
  const FileDescriptor directory(open(directory_.path().c_str(), O_RDONLY | O_CLOEXEC));
  TranscriptReader reader(directory.get(), 0, 10, TranscriptFormat::kClaude);
  const Result<TranscriptPiece> piece = reader.next();
  ASSERT_FALSE(piece);
  EXPECT_EQ(piece.error().kind, ErrorKind::kCannotRead);
}

}  // namespace
}  // namespace oriel
