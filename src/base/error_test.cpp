#include "base/error.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Error, IsDescribedInOneLineWithItsRemedy) {
  EXPECT_EQ(describe({.kind = ErrorKind::kUnknown, .message = "no disk", .hint = "buy one"}),
            "no disk; buy one");
  EXPECT_EQ(describe({.kind = ErrorKind::kUnknown, .message = "No disk.", .hint = "Buy one."}),
            "No disk. Buy one.");
  EXPECT_EQ(describe({.kind = ErrorKind::kUnknown, .message = "no disk", .hint = ""}), "no disk");
}

}  // namespace
}  // namespace oriel
