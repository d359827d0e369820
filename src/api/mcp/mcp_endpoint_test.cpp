#include "api/mcp/mcp_endpoint.h"

#include "api/mcp/tool.h"
#include "journal/memory_engine.h"

#include <boost/json/value.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

// All that Oriel offers, with rooms in which nothing runs.
class Offer : public testing::Test {
 protected:
  Offer()
      : journal_(make_memory_engine({}), {}),
        supervisor_(shards_, journal_, {}),
        hub_(shards_, journal_, {}),
        reader_(journal_, hub_, supervisor_),
        rooms_{.supervisor = supervisor_,
               .journal = journal_,
               .hub = hub_,
               .reader = reader_,
               .payloads = std::vector<McpPayloads>(1)},
        offer_(rooms_, "1.0") {}

  Shards shards_{1};
  Journal journal_;
  Supervisor supervisor_;
  Hub hub_;
  SessionReader reader_;
  ToolContext rooms_;
  McpOffer offer_;
};

std::vector<std::string> keys_of(const json::object& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object)
    keys.emplace_back(key);
  return keys;
}

TEST_F(Offer, EveryToolCanBeUsedWithoutOtherHelp) {
  for (const mcp::Tool& tool : offer_.catalog().tools) {
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

TEST_F(Offer, WhatASchemaRequiresItDescribes) {
  for (const mcp::Tool& tool : offer_.catalog().tools) {
    for (const json::object& schema : {tool.input_schema, tool.output_schema}) {
      const json::value* const required = schema.if_contains("required");
      if (required == nullptr) continue;
      for (const json::value& key : required->as_array())
        EXPECT_TRUE(schema.at("properties").as_object().contains(key.as_string()))
            << tool.name << " " << key;
    }
  }
}

TEST_F(Offer, EveryArgumentIsDescribed) {
  for (const mcp::Tool& tool : offer_.catalog().tools) {
    for (const auto& [name, schema] : tool.input_schema.at("properties").as_object())
      EXPECT_GT(schema.at("description").as_string().size(), 5U) << tool.name << " " << name;
  }
}

TEST(Tool, TheSchemaOfASessionHasJustTheKeysOfASession) {
  const auto schema = session_schema();
  EXPECT_THAT(keys_of(schema.at("properties").as_object()),
              testing::UnorderedElementsAreArray(keys_of(to_json(SessionState{}))));
}

TEST(Tool, TheSchemaOfAPermissionHasJustTheKeysOfAPermission) {
  const auto schema = permission_schema();
  EXPECT_THAT(keys_of(schema.at("properties").as_object()),
              testing::UnorderedElementsAreArray(keys_of(to_json(PendingPermission{}))));
}

TEST(Tool, ARefusalTellsTheModelWhatToDoAndTheProgramWhatHappened) {
  const json::object result = refuse(
      {.kind = ErrorKind::kUnknownSession, .message = "there is no session", .hint = "GET /api"},
      {{"number", 1}});
  EXPECT_TRUE(result.at("isError").as_bool());
  const std::string text(result.at("content").at(0).at("text").as_string());
  EXPECT_THAT(text, HasSubstr("there is no session. Call session_list"));
  EXPECT_THAT(text, testing::Not(HasSubstr("GET /api")));
  const json::value& error = result.at("_meta").at("oriel/error");
  EXPECT_EQ(error.at("code").as_string(), "unknown_session");
  EXPECT_EQ(error.at("data").at("number").to_number<int>(), 1);
}

}  // namespace
}  // namespace oriel
