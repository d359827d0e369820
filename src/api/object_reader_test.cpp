#include "api/object_reader.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ObjectReader, ReadsFlagsNumbersAndNames) {
  ObjectReader reader({{"flag", true}, {"number", 7}, {"names", {"a", "b"}}},
                      {"flag", "number", "names", "absent"});
  EXPECT_EQ(reader.flag("flag"), true);
  EXPECT_EQ(reader.flag("absent"), std::nullopt);
  EXPECT_EQ(reader.number("number", 1, 0, 10), 7);
  EXPECT_EQ(reader.number("absent", 1, 0, 10), 1);
  EXPECT_THAT(reader.names("names"), ElementsAre("a", "b"));
  EXPECT_FALSE(reader.error());
}

std::string problem_with(const boost::json::value& value) {
  ObjectReader reader({{"key", value}}, {"key"});
  reader.flag("key");
  return reader.error() ? reader.error()->message : "";
}

std::string problem_with_number(const boost::json::value& value) {
  ObjectReader reader({{"key", value}}, {"key"});
  reader.number("key", 1, 0, 10);
  return reader.error() ? reader.error()->message : "";
}

TEST(ObjectReader, ErrorsNameTheKeyAndTheAllowedValues) {
  EXPECT_THAT(problem_with("true"), HasSubstr("key: must be true or false"));
  EXPECT_THAT(problem_with_number(11), HasSubstr("key: \"11\" is not a whole number from 0 to 10"));
  EXPECT_THAT(problem_with_number("5"), HasSubstr("whole number"));
  EXPECT_THAT(problem_with_number(1.5), HasSubstr("1.5"));
  ObjectReader names({{"key", {"a b"}}}, {"key"});
  names.names("key");
  EXPECT_THAT(names.error()->message, HasSubstr("a b"));
}

TEST(ObjectReader, APathHasNoNul) {
  using namespace std::string_literals;
  const std::string path = "/srv\0/home"s;
  ObjectReader one({{"key", path}}, {"key"});
  one.path("key");
  ASSERT_TRUE(one.error());
  EXPECT_THAT(one.error()->message, HasSubstr("NUL"));
  ObjectReader list({{"key", {"/srv", path}}}, {"key"});
  list.paths("key");
  EXPECT_TRUE(list.error());
  ObjectReader plain({{"key", "/srv"}}, {"key"});
  EXPECT_EQ(plain.path("key"), "/srv");
  EXPECT_FALSE(plain.error());
}

}  // namespace
}  // namespace oriel
