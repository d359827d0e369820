#include "base/id.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel {
namespace {

TEST(RandomId, IsRecognizedAndUnlikeTheOthers) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_id();
    EXPECT_TRUE(is_random_id(id)) << id;
    EXPECT_TRUE(is_name(id)) << id;
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000U);
}

TEST(RandomId, UsesItsWholeAlphabet) {
  std::set<char> seen;
  for (int i = 0; i < 1000; ++i) {
    for (const char c : random_id())
      seen.insert(c);
  }
  EXPECT_EQ(seen.size(), 32U);
}

TEST(RandomId, RecognizesNothingElse) {
  for (const char* text : {"", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF",
                           "0123456789abcdei", "0123456789abcdeo", "0123456789abcde-"}) {
    EXPECT_FALSE(is_random_id(text)) << text;
  }
}

TEST(Name, HasOneTo128OfItsCharacters) {
  EXPECT_TRUE(is_name("a"));
  EXPECT_TRUE(is_name("AZaz09._:-"));
  EXPECT_TRUE(is_name(std::string(128, 'a')));
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name(std::string(129, 'a')));
}

TEST(Name, HasNoOtherCharacter) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_allowed = kAllowed.find(c) != kAllowed.npos;
    EXPECT_EQ(is_name(std::string{'a', c}), is_allowed) << byte;
  }
}

}  // namespace
}  // namespace oriel
