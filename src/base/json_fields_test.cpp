#include "base/json_fields.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(JsonFields, ReadsWhatIsThere) {
  const auto object =
      parse_object(R"({"t":"x","n":-3,"b":true,"o":{"k":"v"},"l":[{"a":1},2,{}],"s":["a",1,"b"]})");
  EXPECT_EQ(text_at(object, "t"), "x");
  EXPECT_EQ(number_at(object, "n"), -3);
  EXPECT_TRUE(is_true_at(object, "b"));
  EXPECT_EQ(text_at(object_at(object, "o"), "k"), "v");
  EXPECT_EQ(objects_at(object, "l").size(), 2U);
  EXPECT_EQ(texts_at(object, "s"), (std::vector<std::string>{"a", "b"}));
}

TEST(JsonFields, WhatIsOfAnotherTypeIsNotThere) {
  const auto object = parse_object(R"({"t":1,"n":1.5,"b":"true","o":[],"l":{}})");
  EXPECT_EQ(text_at(object, "t"), "");
  EXPECT_EQ(number_at(object, "n"), std::nullopt);
  EXPECT_EQ(number_at(object, "nothing"), std::nullopt);
  EXPECT_FALSE(is_true_at(object, "b"));
  EXPECT_TRUE(object_at(object, "o").empty());
  EXPECT_TRUE(objects_at(object, "l").empty());
}

TEST(JsonFields, TextThatHoldsNoObjectIsAnEmptyOne) {
  for (const char* text : {"", "[]", "1", "{", "<html>"})
    EXPECT_TRUE(parse_object(text).empty()) << text;
}

}  // namespace
}  // namespace oriel
