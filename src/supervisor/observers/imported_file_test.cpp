#include "supervisor/observers/imported_file.h"

#include <gtest/gtest.h>

#include <limits>

namespace oriel {
namespace {

ImportedFile example() {
  return {.path = "/home/me/.claude/projects/-work/\xc3\xa4 b.jsonl",
          .size = 1000,
          .inode = 17,
          .modified_at = parse_time("2026-11-16T08:00:00.123Z").value(),
          .head = std::numeric_limits<std::uint64_t>::max(),
          .offset = 990,
          .is_done = true,
          .session_id = "s1"};
}

FoundTranscript found() {
  const ImportedFile file = example();
  return {
      .path = file.path, .size = file.size, .inode = file.inode, .modified_at = file.modified_at};
}

TEST(ImportedFile, TheDocumentIsReadBack) {
  EXPECT_EQ(parse_import_document(to_document(example())).value(), example());
}

TEST(ImportedFile, AnInvalidDocumentIsAnErrorWithAHint) {
  for (const char* text : {"", "{}", "[]", R"({"path":1})", "\xff"}) {
    const auto file = parse_import_document(text);
    ASSERT_FALSE(file) << text;
    EXPECT_FALSE(file.error().hint.empty());
  }
}

TEST(ImportedFile, UnchangedMeansEqualSizeTimeAndInode) {
  EXPECT_TRUE(example().is_unchanged(found()));
  FoundTranscript other = found();
  ++other.size;
  EXPECT_FALSE(example().is_unchanged(other));
  other = found();
  other.modified_at += std::chrono::milliseconds(1);
  EXPECT_FALSE(example().is_unchanged(other));
  other = found();
  ++other.inode;
  EXPECT_FALSE(example().is_unchanged(other));
}

TEST(ImportedFile, AFileThatWasNotReadToItsEndIsChanged) {
  ImportedFile half = example();
  half.is_done = false;
  EXPECT_FALSE(half.is_unchanged(found()));
}

TEST(ImportedFile, EachPathHasItsOwnDocument) {
  EXPECT_EQ(import_document_key("/a"), import_document_key("/a"));
  EXPECT_NE(import_document_key("/a"), import_document_key("/b"));
  EXPECT_TRUE(import_document_key("/a").starts_with(import_documents()));
}

}  // namespace
}  // namespace oriel
