#include "api/mcp/schema.h"

#include "session/session_state.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;

std::vector<std::string> schema_keys(const json::object& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object)
    keys.emplace_back(key);
  return keys;
}

TEST(Schema, OfASessionHasJustTheKeysOfASession) {
  const auto schema = session_schema();
  SessionState in_cluster;
  in_cluster.node = "a";
  EXPECT_THAT(schema_keys(schema.at("properties").as_object()),
              testing::UnorderedElementsAreArray(schema_keys(to_json(in_cluster))));
}

TEST(Schema, OfAPermissionHasJustTheKeysOfAPermission) {
  const auto schema = permission_schema();
  EXPECT_THAT(schema_keys(schema.at("properties").as_object()),
              testing::UnorderedElementsAreArray(schema_keys(to_json(PendingPermission{}))));
}

TEST(Schema, OfArgumentsAllowsNoOtherProperty) {
  const Schema schema = input_schema({{"a", text_schema("About a.")}}, {"a"});
  EXPECT_EQ(schema.at("additionalProperties"), json::value(false));
  EXPECT_EQ(schema.at("required").as_array(), json::array{"a"});
  EXPECT_FALSE(output_schema(object_schema({}, {})).contains("additionalProperties"));
}

TEST(Schema, OrNullTakesBothTypesUnderOneDescription) {
  EXPECT_EQ(
      json::value(or_null(text_schema("About it."))),
      json::parse(R"({"anyOf":[{"type":"string"},{"type":"null"}],"description":"About it."})"));
  EXPECT_FALSE(or_null(object_schema({}, {})).contains("description"));
}

TEST(Schema, OfANumberNamesItsRangeAndDefault) {
  const Schema schema = number_schema("How many.", 1, 9, 3);
  EXPECT_EQ(schema.at("minimum").to_number<int>(), 1);
  EXPECT_EQ(schema.at("maximum").to_number<int>(), 9);
  EXPECT_EQ(schema.at("default").to_number<int>(), 3);
}

}  // namespace
}  // namespace oriel
