#include "demo/utf8.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(DemoUtf8, TextStaysAsItIs) {
  const std::string text = "plain, \xc3\xa4, \xe2\x82\xac, \xf0\x9f\x99\x82\n";
  EXPECT_EQ(valid_utf8(text), text);
  EXPECT_EQ(valid_utf8(""), "");
}

TEST(DemoUtf8, EachStrayByteIsReplaced) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b\x80"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("cut \xe2\x82"), "cut \xef\xbf\xbd\xef\xbf\xbd");
}

TEST(DemoUtf8, OverlongFormsAndSurrogatesAreNoCharacters) {
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xe0\x80\xaf").find('/'), std::string::npos);
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80").size(), 12u);
}

}  // namespace
}  // namespace oriel
