#include "journal/crc32c.h"

#include <boost/crc.hpp>
#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

TEST(Crc32c, HasTheValuesOfItsStandard) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
}

TEST(Crc32c, IsTheSameWithAndWithoutTheProcessorsInstruction) {
  std::string bytes;
  for (int size = 0; size < 40; ++size) {
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
    sum.process_bytes(bytes.data(), bytes.size());
    EXPECT_EQ(crc32c(bytes), sum.checksum()) << size;
    bytes.push_back(static_cast<char>(size * 37));
  }
}

}  // namespace
}  // namespace oriel
