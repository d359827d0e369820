#include "observed/project.h"

#include "base/id.h"
#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel {
namespace {

std::function<bool(const std::string&)> only(std::set<std::string> paths) {
  return [paths = std::move(paths)](const std::string& path) { return paths.contains(path); };
}

TEST(Project, IsTheGitRootAboveTheWorkingDirectory) {
  const auto exists = only({"/home/me/shop/.git"});
  const Project project = find_project("/home/me/shop/src/deep", exists);
  EXPECT_EQ(project.root, "/home/me/shop");
  EXPECT_EQ(project.name, "shop");
  EXPECT_EQ(find_project("/home/me/shop", exists), project);
  EXPECT_EQ(find_project("/home/me//shop/src/../", exists), project);
}

TEST(Project, WithoutGitItIsTheDirectoryItself) {
  EXPECT_EQ(find_project("/home/me/notes", only({})).root, "/home/me/notes");
  EXPECT_EQ(find_project("/", only({})).name, "/");
  EXPECT_EQ(find_project("", only({})).root, "/");
}

TEST(Project, EqualNamesDoNotCollide) {
  const Project one = find_project("/a/shop", only({}));
  const Project other = find_project("/b/shop", only({}));
  EXPECT_EQ(one.name, other.name);
  EXPECT_NE(one.project_id, other.project_id);
}

TEST(Project, ItsIdIsAlwaysAName) {
  for (const std::string& path :
       {std::string("/"), std::string("/a b/c d"), std::string("/\xC3\xA9"),
        "/" + std::string(250, 'x'), std::string("relative")})
    EXPECT_TRUE(is_name(find_project(path, only({})).project_id)) << path;
}

TEST(Project, TheDefaultReadsTheDisk) {
  const TempDirectory directory;
  directory.make("shop/.git");
  EXPECT_EQ(find_project(directory.make("shop/src")).root, (directory / "shop").string());
}

}  // namespace
}  // namespace oriel
