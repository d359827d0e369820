#include "api/mcp/event_tools.h"

#include "api/mcp/tool_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;

using EventToolsTest = ToolFixture;

TEST_F(EventToolsTest, ReadsTheEventsAfterAnIndex) {
  const std::string id = create_session();
  const json::object first = content_of(call("session_events", {{"session_id", id}, {"limit", 1}}));
  EXPECT_EQ(first.at("events").as_array().size(), 1U);
  EXPECT_EQ(first.at("events").at(0).at("index").to_number<int>(), 0);
  EXPECT_EQ(first.at("status").as_string(), "idle");
  const json::object none = content_of(call(
      "session_events", {{"session_id", id}, {"since_index", 1000}, {"types", json::array{}}}));
  EXPECT_TRUE(none.at("events").as_array().empty());
}

TEST_F(EventToolsTest, AWaitEndsBeforeItsClientGivesUp) {
  EXPECT_EQ(tool_wait(100), std::chrono::milliseconds(100));
  EXPECT_EQ(tool_wait(60'000), std::chrono::seconds(50));
  const json::object arguments{{"session_id", create_session()}, {"wait_ms", 60'000}};
  EXPECT_FALSE(is_error(call("session_events", arguments)));
  for (const mcp::Tool& tool : catalog_.get().tools) {
    if (tool.name != "session_events") continue;
    const json::value& wait = tool.input_schema.at("properties").at("wait_ms");
    EXPECT_EQ(wait.at("maximum").to_number<int>(), 50'000);
  }
}

TEST_F(EventToolsTest, RejectsMalformedArguments) {
  EXPECT_EQ(code_in(call("session_events")), "invalid_request");
  EXPECT_EQ(code_in(call("session_events", {{"session_id", "a b"}})), "invalid_request");
  EXPECT_EQ(code_in(call("session_events", {{"session_id", "x"}, {"wait_ms", 60'001}})),
            "invalid_request");
  EXPECT_EQ(code_in(call("session_events", {{"session_id", "ses_none"}})), "unknown_session");
}

TEST_F(EventToolsTest, AStatelessClientHasNoStreamToPushTo) {
  const std::string id = create_session();
  EXPECT_EQ(code_in(call("session_watch", {{"session_id", id}})), "no_stream");
  EXPECT_EQ(code_in(call("session_unwatch", {{"session_id", id}})), "no_stream");
}

TEST_F(EventToolsTest, AnswersPermissions) {
  const std::string id = create_session();
  json::object arguments{{"session_id", id}, {"permission_id", "perm_none"}};
  EXPECT_EQ(code_in(call("permission_answer", arguments)), "invalid_request");
  arguments["decision"] = "allow";
  EXPECT_EQ(code_in(call("permission_answer", arguments)), "unknown_permission");
  scopes_ = {Scope::kRead};
  EXPECT_EQ(code_in(call("permission_answer", arguments)), "missing_scope");
}

}  // namespace
}  // namespace oriel
