#include "agent/sandbox/mount.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

Mount empty(const char* path) {
  return {.kind = MountKind::kEmpty, .target = path};
}

TEST(Mount, IsWithinByWholeNames) {
  EXPECT_TRUE(is_within("/a/b", "/a"));
  EXPECT_TRUE(is_within("/a", "/a"));
  EXPECT_TRUE(is_within("/a", "/"));
  EXPECT_FALSE(is_within("/ab", "/a"));
  EXPECT_FALSE(is_within("/a", "/a/b"));
}

TEST(Mount, AParentComesBeforeWhatLiesInIt) {
  EXPECT_THAT(in_order({share("/data/work"), show("/data-2"), empty("/data"), show("/")}),
              ElementsAre(show("/"), empty("/data"), share("/data/work"), show("/data-2")));
}

TEST(Mount, OfTwoAtOnePlaceTheLaterStays) {
  EXPECT_THAT(in_order({show("/a"), share("/b"), share("/a")}),
              ElementsAre(share("/a"), share("/b")));
}

TEST(Mount, OnlyTheHostsFilesAreShown) {
  const std::vector<Mount> mounts = {show("/usr"), empty("/home/ann"), share("/home/ann/work")};
  EXPECT_TRUE(is_shown(mounts, "/usr/bin/node"));
  EXPECT_TRUE(is_shown(mounts, "/home/ann/work/agent"));
  EXPECT_FALSE(is_shown(mounts, "/home/ann/.ssh"));
}

TEST(Mount, IsSaidInWordsOfBubblewrap) {
  EXPECT_THAT(
      bwrap_words(
          {show("/a"),
           share("/b"),
           empty("/c"),
           {.kind = MountKind::kLink, .target = "/d", .source = "/a"},
           {.kind = MountKind::kWritable, .target = "/e", .source = "/f", .is_optional = true}}),
      ElementsAre("--ro-bind", "/a", "/a", "--bind", "/b", "/b", "--tmpfs", "/c", "--symlink", "/a",
                  "/d", "--bind-try", "/f", "/e"));
}

}  // namespace
}  // namespace oriel
