#include "supervisor/files/directory_names.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DirectoryNames : public testing::Test {
 protected:
  DirectoryNames() {
    for (const char* name : {"projects/shop", "Private", "pictures", ".hidden", "bad\nname"})
      directory_.make(name);
    directory_.add("plan.txt", "x");
  }

  std::string at(const std::string& name) const { return directory_.path().string() + '/' + name; }

  std::vector<std::string> find(const std::string& name) const {
    return find_directories(at(name), 20).paths;
  }

  TempDirectory directory_;
};

TEST_F(DirectoryNames, BeginWithWhatIsTyped) {
  EXPECT_THAT(find("p"), ElementsAre(at("Private/"), at("pictures/"), at("projects/")));
  EXPECT_THAT(find("pro"), ElementsAre(at("projects/")));
  EXPECT_THAT(find("projects/"), ElementsAre(at("projects/shop/")));
  EXPECT_THAT(find(".h"), ElementsAre(at(".hidden/")));
  EXPECT_THAT(find(""), ElementsAre(at("Private/"), at("pictures/"), at("projects/")));
}

TEST_F(DirectoryNames, OfNothingAreNone) {
  EXPECT_THAT(find("missing/"), IsEmpty());
  EXPECT_THAT(find("plan.txt/"), IsEmpty());
  EXPECT_THAT(find_directories("relative/p", 20).paths, IsEmpty());
  EXPECT_THAT(find_directories("", 20).paths, IsEmpty());
}

TEST_F(DirectoryNames, AreOnlySoMany) {
  EXPECT_EQ(find_directories(at(""), 3).is_complete, true);
  const FoundPaths few = find_directories(at(""), 1);
  EXPECT_THAT(few.paths, ElementsAre(at("Private/")));
  EXPECT_FALSE(few.is_complete);
  EXPECT_FALSE(find_directories(at(""), 20, {.entries = 2}).is_complete);
}

TEST_F(DirectoryNames, BeginAtHomeAfterATilde) {
  EXPECT_EQ(with_home("~/src", "/home/me"), "/home/me/src");
  EXPECT_EQ(with_home("~", "/home/me"), "/home/me");
  EXPECT_EQ(with_home("~other/src", "/home/me"), "~other/src");
  EXPECT_EQ(with_home("/srv", "/home/me"), "/srv");
  EXPECT_EQ(with_home("~/src", ""), "~/src");
}

}  // namespace
}  // namespace oriel
