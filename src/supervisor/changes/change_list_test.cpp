#include "supervisor/changes/change_list.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string with_nuls(std::string text) {
  for (char& c : text)
    if (c == '|') c = '\0';
  return text;
}

TEST(ChangeList, FilesHaveTheirKindAndTheirLines) {
  const auto changes = parse_diff_tree(
      with_nuls(":000000 100644 0 1 A|b|:100644 100644 1 2 M|a|:100644 000000 1 0 D|c|"
                ":100644 100644 1 2 R090|old|new|:100644 120000 1 2 T|t|"
                "3\t0\tb|1\t2\ta|0\t4\tc|1\t1\t|old|new|-\t-\tt|"));
  ASSERT_TRUE(changes) << changes.error().message;
  const std::vector<FileChange> expected = {
      {.path = "a", .kind = ChangeKind::kModified, .lines = LineCounts{1, 2}},
      {.path = "b", .kind = ChangeKind::kAdded, .lines = LineCounts{3, 0}},
      {.path = "c", .kind = ChangeKind::kDeleted, .lines = LineCounts{0, 4}},
      {.path = "new", .old_path = "old", .kind = ChangeKind::kRenamed, .lines = LineCounts{1, 1}},
      {.path = "t", .kind = ChangeKind::kModified}};
  EXPECT_EQ(*changes, expected);
  EXPECT_TRUE(parse_diff_tree("").value().empty());
}

TEST(ChangeList, NamesMayHaveAnyCharacterButNul) {
  const auto changes =
      parse_diff_tree(with_nuls(":000000 100644 0 1 A|:a\tb\n\xff|1\t0\t:a\tb\n\xff|"));
  ASSERT_TRUE(changes) << changes.error().message;
  EXPECT_EQ(changes->at(0).path, ":a\tb\n\xff");
}

TEST(ChangeList, OutputThatIsCutOrUnknownIsAnError) {
  for (const char* text : {":000000 100644 0 1 A|b", ":0 0 0 1 X|b|", "1\t2\tunknown|", "1\ta|",
                           ":000000 100644 0 1 A|b|x\t0\tb|"})
    EXPECT_EQ(parse_diff_tree(with_nuls(text)).error().kind, ErrorKind::kBadDocument) << text;
}

}  // namespace
}  // namespace oriel
