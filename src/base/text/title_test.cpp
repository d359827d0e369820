#include "base/text/title.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Title, IsTheFirstLineWithoutWhiteSpaceAround) {
  EXPECT_EQ(title_of("\n  fix the login \r\nand its tests"), "fix the login");
  EXPECT_EQ(title_of(" \n "), "");
}

TEST(Title, EndsAfterAWholeCharacter) {
  const std::string long_line = std::string(79, 'x') + "\u00e4y";
  EXPECT_EQ(title_of(long_line), std::string(79, 'x'));
}

}  // namespace
}  // namespace oriel
