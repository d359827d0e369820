#include "posix/text_file.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t files_in(const fs::path& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

TEST(TextFile, ChangesAtomicallyAndKeepsABackup) {
  const TempDirectory dir;
  dir.add("a.json", "old");
  fs::permissions(dir / "a.json", fs::perms(0604));
  ASSERT_TRUE(change_text_file(dir / "a.json", "new"));
  ASSERT_TRUE(change_text_file(dir / "a.json", "newer"));
  EXPECT_EQ(read_text_file(dir / "a.json").value(), "newer");
  EXPECT_EQ(read_text_file(backup_of(dir / "a.json")).value(), "new");
  EXPECT_EQ(fs::status(dir / "a.json").permissions(), fs::perms(0604));
  EXPECT_EQ(files_in(dir.path()), 2U);
}

TEST(TextFile, ANewFileIsForItsOwnerOnly) {
  const TempDirectory dir;
  ASSERT_TRUE(change_text_file(dir / "b/c/a.json", "new"));
  EXPECT_EQ(fs::status(dir / "b/c/a.json").permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(dir / "b").permissions(), fs::perms(0700));
}

TEST(TextFile, AMissingFileIsEmpty) {
  const TempDirectory dir;
  EXPECT_EQ(read_text_file(dir / "a").value(), "");
  EXPECT_THAT(read_text_file(dir.path()).error().message, HasSubstr(dir.path().string()));
}

TEST(TextFile, AFailureLeavesNothingBehind) {
  const TempDirectory dir;
  dir.add("a/b", "x");
  const auto changed = change_text_file(dir / "a/b/c", "new");
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr((dir / "a/b/c").string()));
  EXPECT_EQ(files_in(dir / "a"), 1U);
}

TEST(TextFile, LinksAreFollowedAlsoToAMissingFile) {
  const TempDirectory dir;
  fs::create_symlink("b", dir / "a");
  fs::create_symlink(dir / "c", dir / "b");
  EXPECT_EQ(file_behind(dir / "a"), dir / "c");
  EXPECT_EQ(file_behind(dir / "x"), dir / "x");
  fs::create_symlink("loop", dir / "loop");
  EXPECT_FALSE(change_text_file(file_behind(dir / "loop"), "x"));
}

}  // namespace
}  // namespace oriel
