#include "server/data_dir.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kPublic{0755};

fs::perms mode_after_start(const fs::path& dir) {
  EXPECT_TRUE(prepare_data_dir(dir));
  return fs::status(dir).permissions();
}

TEST(DataDir, NewDirectoryIsClosedToOtherUsers) {
  const TempDirectory temp;
  EXPECT_EQ(mode_after_start(temp / "a/b"), fs::perms::owner_all);
}

TEST(DataDir, EmptyDirectoryIsClosedToOtherUsers) {
  const TempDirectory temp;
  fs::permissions(temp.path(), kPublic);
  EXPECT_EQ(mode_after_start(temp.path()), fs::perms::owner_all);
}

TEST(DataDir, DirectoryWithAJournalOrTokensIsClosedToOtherUsers) {
  for (const char* const file : {"journal.db", "tokens.json"}) {
    const TempDirectory temp;
    temp.add(file, "");
    temp.add("other", "");
    fs::permissions(temp.path(), kPublic);
    EXPECT_EQ(mode_after_start(temp.path()), fs::perms::owner_all) << file;
  }
}

TEST(DataDir, DirectoryOfSomethingElseKeepsItsMode) {
  const TempDirectory temp;
  temp.add("notes.txt", "");
  fs::permissions(temp.path(), kPublic);
  EXPECT_EQ(mode_after_start(temp.path()), kPublic);
}

TEST(DataDir, DirectoryThatCannotBeCreatedIsNamed) {
  const TempDirectory temp;
  temp.add("file", "");
  const auto prepared = prepare_data_dir(temp / "file/data");
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().message,
            "cannot create " + (temp / "file/data").string() + ": Not a directory");
}

}  // namespace
}  // namespace oriel
