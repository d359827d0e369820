#include "base/text/json_access.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(JsonAccess, ReadsValuesOfTheExpectedType) {
  const auto object = parse_object(R"({"t":"x","n":-3,"b":true,"o":{"k":"v"},"l":[{"a":1},2,{}]})");
  EXPECT_EQ(text_at(object, "t"), "x");
  EXPECT_EQ(text_of(member(object, "t")), "x");
  EXPECT_EQ(number_of(member(object, "n")), -3);
  EXPECT_TRUE(is_true(member(object, "b")));
  EXPECT_EQ(text_at(object_of(member(object, "o")), "k"), "v");
  EXPECT_EQ(text_at(object, "o", "k"), "v");
  EXPECT_EQ(elements_of(member(object, "l")).size(), 3U);
  EXPECT_EQ(objects_of(member(object, "l")).size(), 2U);
}

TEST(JsonAccess, AValueOfAnotherTypeReadsAsEmpty) {
  const auto object = parse_object(R"({"t":1,"n":1.5,"b":"true","o":[],"l":{}})");
  EXPECT_EQ(text_at(object, "t"), "");
  EXPECT_EQ(number_of(member(object, "n")), std::nullopt);
  EXPECT_EQ(number_of(member(object, "nothing")), std::nullopt);
  EXPECT_FALSE(is_true(member(object, "b")));
  EXPECT_FALSE(is_true(member(object, "t")));
  EXPECT_TRUE(object_of(member(object, "o")).empty());
  EXPECT_TRUE(elements_of(member(object, "l")).empty());
  EXPECT_TRUE(objects_of(member(object, "l")).empty());
}

TEST(JsonAccess, AMissingMemberIsNullHoweverDeep) {
  const boost::json::value value = parse_object(R"({"a":{"b":"c"}})");
  EXPECT_EQ(text_of(member(value, "a", "b")), "c");
  EXPECT_TRUE(member(value, "a", "b", "c").is_null());
  EXPECT_TRUE(member(value, "x", "y").is_null());
  EXPECT_TRUE(member(boost::json::value(1), "x").is_null());
}

TEST(JsonAccess, TheRestOfAnObjectHasNeitherTheseMembersNorNulls) {
  const boost::json::value value = parse_object(R"({"a":1,"b":null,"c":[],"d":2})");
  EXPECT_EQ(rest_of(value, {"a", "x"}), parse_object(R"({"c":[],"d":2})"));
  EXPECT_TRUE(rest_of(boost::json::value(1), {}).empty());
}

TEST(JsonAccess, TextWithoutAnObjectIsAnEmptyObject) {
  for (const char* text : {"", "[]", "1", "{", "<html>"})
    EXPECT_TRUE(parse_object(text).empty()) << text;
}

}  // namespace
}  // namespace oriel
