#include "cli/render/qr_code.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace oriel {
namespace {

using testing::HasSubstr;

// Version 1 has 21 modules; two lines of modules share a line of text.
TEST(QrCode, HasALineForEveryTwoModulesAndAQuietZone) {
  const std::string code = qr_code("oriel");
  EXPECT_EQ(std::count(code.begin(), code.end(), '\n'), (21 + 4 + 1) / 2);
  EXPECT_THAT(code, HasSubstr("█"));
}

TEST(QrCode, DependsOnItsText) {
  EXPECT_NE(qr_code("a"), qr_code("b"));
}

TEST(QrCode, IsEmptyForATextThatIsTooLong) {
  EXPECT_EQ(qr_code(std::string(5000, 'x')), "");
}

}  // namespace
}  // namespace oriel
