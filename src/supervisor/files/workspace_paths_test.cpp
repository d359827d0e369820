#include "supervisor/files/workspace_paths.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class WorkspacePaths : public testing::Test {
 protected:
  void write(const std::string& path) const { directory_.add("workspace/" + path, "x"); }

  std::vector<std::string> find(std::string_view typed, std::size_t most = 20) const {
    return find_paths(workspace_, typed, most).value().paths;
  }

  TempDirectory directory_;
  const fs::path workspace_ = directory_.make("workspace");
};

TEST_F(WorkspacePaths, AreOrderedByHowWellTheyFit) {
  write("docs/store.md");
  write("src/store/index.ts");
  write("src/restore.ts");
  write("src/store.ts");
  write("src/shop_to_reach.ts");
  write("src/other.ts");
  EXPECT_THAT(find("STORE"),
              ElementsAre("src/store/", "docs/store.md", "src/store.ts", "src/restore.ts",
                          "src/store/index.ts", "src/shop_to_reach.ts"));
  EXPECT_THAT(find("src/st"), ElementsAre("src/store.ts", "src/store/", "src/store/index.ts"));
}

TEST_F(WorkspacePaths, WithoutTextAreThoseNearTheTop) {
  write("b/deep/er.txt");
  write("a.txt");
  const auto found = find_paths(workspace_, "", 3).value();
  EXPECT_THAT(found.paths, ElementsAre("a.txt", "b/", "b/deep/"));
  EXPECT_FALSE(found.is_complete);
  EXPECT_TRUE(find_paths(workspace_, "", 4)->is_complete);
}

TEST_F(WorkspacePaths, LeaveOutWhatToolsKeepAndNamesThatCannotBeShown) {
  for (const char* path :
       {".git/config", "node_modules/x/index.js", "a/__pycache__/b.pyc", "line\nbreak.txt",
        "escape\033[31m.txt", "bad\xff.txt", ".env", "kept.txt"})
    write(path);
  ASSERT_EQ(::mkfifo((workspace_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(find(""), UnorderedElementsAre(".env", "a/", "kept.txt"));
}

TEST_F(WorkspacePaths, NeverLeadOutOfTheWorkspace) {
  directory_.add("outside/secret.txt", "x");
  write("inside.txt");
  fs::create_directory_symlink(directory_ / "outside", workspace_ / "link");
  fs::create_symlink(directory_ / "outside/secret.txt", workspace_ / "secret.txt");
  EXPECT_THAT(find(""), ElementsAre("inside.txt"));
  EXPECT_THAT(find("secret"), IsEmpty());
  EXPECT_THAT(find("../outside"), IsEmpty());
}

TEST_F(WorkspacePaths, OfALinkOrAMissingDirectoryAreAnError) {
  fs::create_directory_symlink(workspace_, directory_ / "link");
  for (const char* name : {"link", "missing"}) {
    const auto found = find_paths(directory_ / name, "", 5);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::kWorkspaceFailed);
  }
}

TEST_F(WorkspacePaths, AreSoughtInOnlySoManyEntriesAndSoLong) {
  for (int i = 0; i < 200; ++i)
    write("many/" + std::to_string(i) + ".txt");
  write("top.txt");
  const auto few = find_paths(workspace_, "", 1000, {.entries = 50}).value();
  EXPECT_FALSE(few.is_complete);
  EXPECT_LE(few.paths.size(), 50U);
  EXPECT_THAT(few.paths, Contains("top.txt"));
  const auto late =
      find_paths(workspace_, "", 1000, {.time = std::chrono::milliseconds(-1)}).value();
  EXPECT_FALSE(late.is_complete);
  EXPECT_THAT(late.paths, Not(Contains("many/199.txt")));
}

}  // namespace
}  // namespace oriel
