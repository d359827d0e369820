#include "base/text/base64.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

// RFC 4648, section 10.
TEST(Base64, DecodesTheStandardsExamples) {
  EXPECT_EQ(from_base64(""), "");
  EXPECT_EQ(from_base64("Zg=="), "f");
  EXPECT_EQ(from_base64("Zm8="), "fo");
  EXPECT_EQ(from_base64("Zm9v"), "foo");
  EXPECT_EQ(from_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(from_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(from_base64("Zm9vYmFy"), "foobar");
}

TEST(Base64, RefusesWhatHasNotItsPadding) {
  for (const std::string_view text : {"Zg", "Zg=", "Zm8", "Z", "=", "==", "====", "Zg===",
                                      "Zm9v====", "Zg==Zg==", "Z===", "Zm9v=Zm8"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(Base64, RefusesForeignCharacters) {
  for (const std::string_view text : {"Zm!v", "Zm9v\n", "Zm 9", "Zm-_", "Zm\xC3\xA9"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

TEST(Base64, RefusesBitsThatStandForNothing) {
  EXPECT_EQ(from_base64("Zh=="), std::nullopt);
  EXPECT_EQ(from_base64("Zm9="), std::nullopt);
  EXPECT_EQ(from_base64url("Zh"), std::nullopt);
}

TEST(Base64, OfUrlsHasNoPaddingAndTwoOtherLetters) {
  EXPECT_EQ(base64url("fo"), "Zm8");
  EXPECT_EQ(base64url("\xFB\xFF\xBF"), "-_-_");
  EXPECT_EQ(from_base64("+/+/"), "\xFB\xFF\xBF");
  EXPECT_EQ(from_base64url("-_-_"), "\xFB\xFF\xBF");
  EXPECT_EQ(from_base64url("Zm8="), std::nullopt);
  EXPECT_EQ(from_base64url("+/+/"), std::nullopt);
}

TEST(Base64, OfUrlsGivesAnyBytesBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64, GivesAnyBytesBack) {
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("\xFB\xFF\xBF"), "+/+/");
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

}  // namespace
}  // namespace oriel
