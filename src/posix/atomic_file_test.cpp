#include "posix/atomic_file.h"

#include "base/temp_directory_testing.h"
#include "posix/text_file.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(AtomicFile, ANewFileIsForItsOwnerOnly) {
  const TempDirectory dir;
  ASSERT_TRUE(replace_file(dir / "a", "text", dir / "a"));
  EXPECT_EQ(read_text_file(dir / "a").value(), "text");
  EXPECT_EQ(fs::status(dir / "a").permissions(), fs::perms(0600));
}

TEST(AtomicFile, AReplacedFileKeepsItsModeOrIsForItsOwnerOnly) {
  const TempDirectory dir;
  dir.add("a", "old");
  fs::permissions(dir / "a", fs::perms(0604));
  ASSERT_TRUE(replace_file(dir / "a", "new", dir / "a"));
  EXPECT_EQ(fs::status(dir / "a").permissions(), fs::perms(0604));
  ASSERT_TRUE(replace_file(dir / "a", "newer"));
  EXPECT_EQ(fs::status(dir / "a").permissions(), fs::perms(0600));
  EXPECT_EQ(read_text_file(dir / "a").value(), "newer");
}

TEST(AtomicFile, ADraftOfAKilledWriterIsReplaced) {
  const TempDirectory dir;
  const std::string draft = "a.oriel-new-" + std::to_string(::getpid());
  dir.add(draft, "half a");
  ASSERT_TRUE(replace_file(dir / "a", "text"));
  EXPECT_EQ(read_text_file(dir / "a").value(), "text");
  EXPECT_FALSE(fs::exists(dir / draft));
}

TEST(AtomicFile, AFailureLeavesTheFileAsItWasAndNoDraft) {
  const TempDirectory dir;
  dir.add("a/b", "old");
  const auto replaced = replace_file(dir / "a", "new");
  ASSERT_FALSE(replaced);
  EXPECT_THAT(replaced.error().message, HasSubstr("cannot replace " + (dir / "a").string()));
  EXPECT_EQ(read_text_file(dir / "a/b").value(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace oriel
