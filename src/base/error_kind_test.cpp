#include "base/error_kind.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ErrorKind, HasACodeOfItsOwnThatParsesBack) {
  for (int i = 0; i <= static_cast<int>(kLastErrorKind); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    EXPECT_FALSE(code_of(kind).empty()) << i;
    EXPECT_EQ(parse_error_code(code_of(kind)), kind);
  }
  EXPECT_EQ(code_of(ErrorKind::kInvalidFilter), "invalid_filter");
}

TEST(ErrorKind, IsUnknownForAnotherCode) {
  for (const char* code : {"", "Invalid_filter", "invalid_filter ", "out_of_paper"})
    EXPECT_EQ(parse_error_code(code), ErrorKind::kUnknown) << code;
}

}  // namespace
}  // namespace oriel
