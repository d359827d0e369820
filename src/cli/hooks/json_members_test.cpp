#include "cli/hooks/json_members.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(JsonMembers, FindsEachMember) {
  const std::string text = R"( {"a" : 1 , "b":{"a":[2,"}",{}]},"c\"\\":"x,}\"", "\u0061":null } )";
  const auto members = json_members(text);
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 4U);
  EXPECT_EQ(members->at(0).value_in(text), "1");
  EXPECT_EQ(members->at(1).value_in(text), R"({"a":[2,"}",{}]})");
  EXPECT_EQ(members->at(2).key, "c\"\\");
  EXPECT_EQ(string_value(members->at(2).value_in(text)), "x,}\"");
  EXPECT_EQ(text.substr(members->at(1).key_begin, 3), "\"b\"");
  EXPECT_EQ(find_member(*members, "a")->value_in(text), "null");
  EXPECT_EQ(find_member(*members, "d"), nullptr);
}

TEST(JsonMembers, AnEmptyObjectHasNone) {
  EXPECT_TRUE(json_members(" { } \n").value().empty());
}

TEST(JsonMembers, OtherTextHasNone) {
  for (const char* text : {"", " ", "[]", "3", "{", "{}{", "{\"a\"", "{\"a\":", "{\"a\":}",
                           "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\":\"", "{\"a\":\"\\",
                           "{a:1}", "{\"a\" 1}", "{\"a\":{}", "\"{\"", "{\"a\":1]}"}) {
    EXPECT_FALSE(json_members(text)) << text;
  }
}

TEST(JsonMembers, AcceptsAnyBytes) {
  std::string text = "{\"a\":\"";
  for (int byte = 0; byte < 256; ++byte)
    text += static_cast<char>(byte);
  for (std::size_t length = 0; length <= text.size(); ++length)
    static_cast<void>(json_members(std::string_view(text).substr(0, length)));
}

TEST(StringValue, IsEmptyForOtherValues) {
  EXPECT_EQ(string_value("\"x\\n\""), "x\n");
  for (const char* text : {"", "3", "null", "{}", "\"x"})
    EXPECT_EQ(string_value(text), "") << text;
}

}  // namespace
}  // namespace oriel
