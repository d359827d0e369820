#include "api/web/web_files.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel {
namespace {

TEST(WebFiles, EachHasContentAndAPathOfItsOwn) {
  std::set<std::string_view> paths;
  for (const WebFile& file : web_files()) {
    EXPECT_TRUE(file.path.starts_with('/')) << file.path;
    EXPECT_FALSE(file.content.empty()) << file.path;
    EXPECT_FALSE(file.content_type.empty()) << file.path;
    EXPECT_TRUE(paths.insert(file.path).second) << file.path;
  }
}

TEST(WebFiles, EndWhereTheFileEnds) {
  for (const WebFile& file : web_files())
    EXPECT_NE(file.content.back(), '\0') << file.path;
}

}  // namespace
}  // namespace oriel
