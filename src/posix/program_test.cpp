#include "posix/program.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class FindProgram : public testing::Test {
 protected:
  fs::path make(const std::string& name, fs::perms perms) {
    const fs::path file = directory_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, perms);
    return file;
  }

  TempDirectory directory_;
};

TEST_F(FindProgram, TakesTheFirstExecutableFileOnThePath) {
  make("a/tool", fs::perms::owner_read);
  fs::create_directories(directory_ / "b" / "tool");
  const fs::path wanted = make("c/tool", fs::perms::owner_all);
  make("d/tool", fs::perms::owner_all);
  std::string path;
  for (const char* entry : {"a", "b", "c", "d"})
    path += (directory_ / entry).string() + ":";
  EXPECT_EQ(*find_program("tool", path), wanted);
  EXPECT_FALSE(find_program("other", path));
  EXPECT_FALSE(find_program("", path));
  EXPECT_FALSE(find_program("tool", ""));
}

TEST_F(FindProgram, TakesANameWithASlashAsItStands) {
  const fs::path file = make("tool", fs::perms::owner_all);
  EXPECT_EQ(*find_program(file.string(), ""), file);
  EXPECT_FALSE(find_program((directory_ / "nothing").string(), directory_.path().string()));
}

TEST_F(FindProgram, PassesOverEntriesThatAreNotAbsolute) {
  make("tool", fs::perms::owner_all);
  const fs::path before = fs::current_path();
  fs::current_path(directory_.path());
  const auto found = find_program("tool", "::.:");
  fs::current_path(before);
  EXPECT_FALSE(found);
}

TEST_F(FindProgram, DistinguishesAMissingProgramFromOneThatCannotRun) {
  make("a/tool", fs::perms::owner_read);
  const std::string path = (directory_ / "a").string();
  EXPECT_EQ(find_program("tool", path).error().kind, ErrorKind::kProgramNotExecutable);
  EXPECT_EQ(find_program("other", path).error().kind, ErrorKind::kProgramMissing);
}

}  // namespace
}  // namespace oriel
