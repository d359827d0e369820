#include "posix/descriptors/open_directory.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace oriel {
namespace {

namespace fs = std::filesystem;

// The error of an attempt; 0 if it succeeds.
int problem_of(const fs::path& path) {
  const FileDescriptor directory = open_directory(path);
  return directory ? 0 : errno;
}

TEST(OpenDirectory, FollowsNoLinkAnywhereInThePath) {
  const TempDirectory playground;
  playground.make("real/inner");
  fs::create_directory_symlink(playground / "real", playground / "link");
  playground.add("file", "");
  EXPECT_EQ(problem_of(playground / "real/inner"), 0);
  EXPECT_EQ(problem_of(playground / "real/../real/"), 0);
  EXPECT_EQ(problem_of(playground / "link"), ELOOP);
  EXPECT_EQ(problem_of(playground / "link/"), ELOOP);
  EXPECT_EQ(problem_of(playground / "link/inner"), ELOOP);
  EXPECT_EQ(problem_of(playground / "file"), ENOTDIR);
  EXPECT_EQ(problem_of(playground / "none"), ENOENT);
}

TEST(OpenDirectory, ADirectoryKeepsItsIdentityWhenItMoves) {
  const TempDirectory playground;
  playground.make("real");
  playground.make("other");
  const FileDescriptor directory = open_directory(playground / "real");
  const std::string identity = identity_of(directory);
  fs::rename(playground / "real", playground / "moved");
  EXPECT_EQ(identity_of(directory), identity);
  EXPECT_EQ(identity_of(open_directory(playground / "moved")), identity);
  EXPECT_NE(identity_of(open_directory(playground / "other")), identity);
}

}  // namespace
}  // namespace oriel
