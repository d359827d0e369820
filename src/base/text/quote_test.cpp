#include "base/text/quote.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Quote, LeavesPrintableTextAsItIs) {
  EXPECT_EQ(quote(""), "\"\"");
  EXPECT_EQ(quote("types=a,b ~"), "\"types=a,b ~\"");
}

TEST(Quote, ShowsOtherBytesInHex) {
  EXPECT_EQ(quote(std::string_view("a\n\0\x1b\x7f\xff", 6)), R"("a\x0a\x00\x1b\x7f\xff")");
}

TEST(Quote, CannotBeLeftFromInside) {
  EXPECT_EQ(quote(R"(a"b\c)"), R"("a\x22b\x5cc")");
}

TEST(Quote, CutsLongText) {
  EXPECT_EQ(quote(std::string(80, 'a')), "\"" + std::string(80, 'a') + "\"");
  EXPECT_EQ(quote(std::string(81, 'a')), "\"" + std::string(80, 'a') + "...\"");
}

}  // namespace
}  // namespace oriel
