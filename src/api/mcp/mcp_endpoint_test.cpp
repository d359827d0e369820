#include "api/mcp/mcp_endpoint.h"

#include "api/mcp/tool_testing.h"

#include <boost/json/value.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsSupersetOf;

using OrielCatalogTest = ToolFixture;

std::vector<std::string> keys_of(const json::object& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object)
    keys.emplace_back(key);
  return keys;
}

TEST_F(OrielCatalogTest, EveryToolHasATitleADescriptionAndSchemas) {
  for (const mcp::Tool& tool : catalog_.get().tools) {
    EXPECT_GT(tool.description.size(), 60U) << tool.name;
    EXPECT_NE(tool.title, "") << tool.name;
    EXPECT_TRUE(tool.handler) << tool.name;
    EXPECT_THAT(keys_of(tool.annotations),
                IsSupersetOf({"readOnlyHint", "destructiveHint", "idempotentHint"}))
        << tool.name;
    for (const json::object& schema : {tool.input_schema, tool.output_schema}) {
      EXPECT_THAT(std::string(schema.at("$schema").as_string()), HasSubstr("2020-12"));
      EXPECT_EQ(schema.at("type").as_string(), "object") << tool.name;
    }
    EXPECT_EQ(tool.input_schema.at("additionalProperties"), json::value(false)) << tool.name;
  }
}

TEST_F(OrielCatalogTest, ASchemaDescribesItsRequiredProperties) {
  for (const mcp::Tool& tool : catalog_.get().tools) {
    for (const json::object& schema : {tool.input_schema, tool.output_schema}) {
      const json::value* const required = schema.if_contains("required");
      if (required == nullptr) continue;
      for (const json::value& key : required->as_array())
        EXPECT_TRUE(schema.at("properties").as_object().contains(key.as_string()))
            << tool.name << " " << key;
    }
  }
}

// Whether a schema anywhere in it has a list as its "type".
bool has_type_list(const json::value& schema) {
  if (const auto* const list = schema.if_array())
    return std::any_of(list->begin(), list->end(), has_type_list);
  const auto* const object = schema.if_object();
  if (object == nullptr) return false;
  const auto is_wrong = [](const auto& member) {
    return (member.key() == "type" && member.value().is_array()) || has_type_list(member.value());
  };
  return std::any_of(object->begin(), object->end(), is_wrong);
}

TEST_F(OrielCatalogTest, NoSchemaHasAListOfTypes) {
  for (const mcp::Tool& tool : catalog_.get().tools) {
    EXPECT_FALSE(has_type_list(tool.input_schema)) << tool.name;
    EXPECT_FALSE(has_type_list(tool.output_schema)) << tool.name;
  }
}

TEST_F(OrielCatalogTest, EveryArgumentIsDescribed) {
  for (const mcp::Tool& tool : catalog_.get().tools) {
    for (const auto& [name, schema] : tool.input_schema.at("properties").as_object())
      EXPECT_GT(schema.at("description").as_string().size(), 5U) << tool.name << " " << name;
  }
}

}  // namespace
}  // namespace oriel
