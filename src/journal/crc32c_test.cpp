#include "journal/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

TEST(Crc32c, HasTheValuesOfItsStandard) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
}

}  // namespace
}  // namespace oriel
