#include "demo/workspace_files.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace oriel {
namespace {

using testing::ElementsAre;

TEST(DemoWorkspace, FilesAreListedByPathWithTheirSizes) {
  TempDirectory workspace;
  workspace.add("b.txt", "12345");
  workspace.add("a/deep/c.txt", "");
  workspace.add(".git/config", "not shown");
  const auto listing = list_files(workspace.path(), "");
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_THAT(listing->files, ElementsAre(FileEntry{"a/deep/c.txt", 0}, FileEntry{"b.txt", 5}));
  EXPECT_FALSE(listing->is_cut);
}

TEST(DemoWorkspace, AListingOfADirectoryNamesItsFilesFromTheWorkspaceOn) {
  TempDirectory workspace;
  workspace.add("a/deep/c.txt", "x");
  workspace.add("b.txt", "x");
  const std::string absolute = workspace.path() / "a";
  for (const std::string_view directory : {"a", "a/", "./a", absolute.c_str()}) {
    const auto listing = list_files(workspace.path(), directory);
    ASSERT_TRUE(listing) << listing.error().message;
    EXPECT_THAT(listing->files, ElementsAre(FileEntry{"a/deep/c.txt", 1})) << directory;
  }
  EXPECT_EQ(list_files(workspace.path(), "none").error().kind, ErrorKind::kNoAccess);
}

TEST(DemoWorkspace, WhatIsWrittenIsRead) {
  TempDirectory workspace;
  ASSERT_TRUE(write_file(workspace.path(), "a.txt", "long first text"));
  ASSERT_TRUE(write_file(workspace.path(), "a.txt", "short"));
  EXPECT_EQ(read_file(workspace.path(), "a.txt")->bytes, "short");
  EXPECT_EQ(read_file(workspace.path(), (workspace.path() / "a.txt").native())->bytes, "short");
  EXPECT_EQ(write_file(workspace.path(), "none/a.txt", "x").error().kind, ErrorKind::kNoAccess);
}

// A workspace with links into another directory.
struct LeakyWorkspace {
  LeakyWorkspace() {
    outside.add("secret.txt", "secret");
    workspace.add("dir/in.txt", "in");
    std::filesystem::create_symlink(secret, workspace.path() / "link.txt");
    std::filesystem::create_directory_symlink(outside.path(), workspace.path() / "linked");
  }

  TempDirectory outside;
  TempDirectory workspace;
  std::string secret = outside.path() / "secret.txt";
};

TEST(DemoWorkspace, NoPathLeadsOut) {
  const LeakyWorkspace leaky;
  const auto& workspace = leaky.workspace.path();
  for (const std::string& path :
       {std::string("../secret.txt"), std::string("dir/../../x"), leaky.secret,
        std::string("/etc/passwd"), std::string("link.txt"), std::string("linked/secret.txt")}) {
    EXPECT_EQ(read_file(workspace, path).error().kind, ErrorKind::kOutsideWorkspace) << path;
    EXPECT_EQ(write_file(workspace, path, "x").error().kind, ErrorKind::kOutsideWorkspace) << path;
  }
  EXPECT_EQ(read_file(leaky.outside.path(), "secret.txt")->bytes, "secret");
}

TEST(DemoWorkspace, NoListingLeadsOut) {
  const LeakyWorkspace leaky;
  const auto& workspace = leaky.workspace.path();
  EXPECT_EQ(list_files(workspace, "linked").error().kind, ErrorKind::kOutsideWorkspace);
  EXPECT_EQ(list_files(workspace, "..").error().kind, ErrorKind::kOutsideWorkspace);
  EXPECT_THAT(list_files(workspace, "")->files, ElementsAre(FileEntry{"dir/in.txt", 2}));
}

TEST(DemoWorkspace, ALinkInsideTheWorkspaceIsFollowed) {
  TempDirectory workspace;
  workspace.add("dir/in.txt", "in");
  std::filesystem::create_symlink("dir/in.txt", workspace.path() / "link.txt");
  EXPECT_EQ(read_file(workspace.path(), "link.txt")->bytes, "in");
}

TEST(DemoWorkspace, OnlyRegularFilesAreRead) {
  TempDirectory workspace;
  workspace.add("dir/in.txt", "in");
  ASSERT_EQ(mkfifo((workspace.path() / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_file(workspace.path(), "dir").error().kind, ErrorKind::kNotAFile);
  EXPECT_EQ(read_file(workspace.path(), "fifo").error().kind, ErrorKind::kNotAFile);
  EXPECT_FALSE(write_file(workspace.path(), "fifo", "x"));
  EXPECT_EQ(read_file(workspace.path(), std::string("a\0b", 3)).error().kind, ErrorKind::kNoAccess);
}

TEST(DemoWorkspace, HugeFilesAreReadInPartAndNotWritten) {
  TempDirectory workspace;
  workspace.add("huge.txt", std::string(kMaxReadBytes + 5, 'x'));
  const auto content = read_file(workspace.path(), "huge.txt");
  ASSERT_TRUE(content);
  EXPECT_EQ(content->bytes.size(), kMaxReadBytes);
  EXPECT_TRUE(content->is_cut);
  EXPECT_FALSE(write_file(workspace.path(), "a", std::string(kMaxWrittenBytes + 1, 'x')));
}

}  // namespace
}  // namespace oriel
