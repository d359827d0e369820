#include "base/text/media_type.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(MediaType, IsPlainAndInLowerCase) {
  EXPECT_EQ(media_type_of("image/png"), "image/png");
  EXPECT_EQ(media_type_of(" Text/HTML ; charset=utf-8"), "text/html");
  EXPECT_EQ(media_type_of("image/svg+xml"), "image/svg+xml");
}

TEST(MediaType, OfSomethingElseIsUnknown) {
  for (const char* text : {"", "text", "text/", "/plain", "a b/c", "text/\"x\"", "text/pl\xe4in",
                           "text/a/b", ";charset=utf-8", "*/*"})
    EXPECT_EQ(media_type_of(text), "application/octet-stream") << text;
  EXPECT_EQ(media_type_of("a/" + std::string(65, 'b')), "application/octet-stream");
}

TEST(MediaType, IsAllowedByItselfOrByItsKind) {
  const std::vector<std::string> patterns = {"text/*", "application/pdf"};
  EXPECT_TRUE(matches_type("text/plain", patterns));
  EXPECT_TRUE(matches_type("application/pdf", patterns));
  EXPECT_FALSE(matches_type("application/pdfx", patterns));
  EXPECT_FALSE(matches_type("texts/plain", patterns));
  EXPECT_FALSE(matches_type("image/png", patterns));
  EXPECT_TRUE(matches_type("image/png", {"*/*"}));
  EXPECT_FALSE(matches_type("image/png", {}));
}

TEST(MediaType, PatternsAreTypesAndKinds) {
  for (const char* text : {"text/*", "application/pdf", "*/*", "image/svg+xml"})
    EXPECT_TRUE(is_type_pattern(text)) << text;
  for (const char* text : {"", "text", "*", "*/png", "text/", "Text/plain", "te*/x", "text/p*"})
    EXPECT_FALSE(is_type_pattern(text)) << text;
}

}  // namespace
}  // namespace oriel
