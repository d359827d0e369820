#include "api/mcp/message_tool.h"

#include "api/mcp/prompts.h"
#include "api/mcp/tool_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

using MessageToolTest = ToolFixture;

TEST_F(MessageToolTest, ItsDescriptionNamesWhatEveryModelCanCallBeforeWhatOnlySomeClientsDo) {
  for (const mcp::Tool& tool : catalog_.get().tools) {
    if (tool.name != "session_message" && tool.name != "session_watch") continue;
    const std::size_t last = tool.description.find("logging/setLevel");
    EXPECT_LT(tool.description.find("wait: true"), last) << tool.name;
    EXPECT_LT(tool.description.find("session_events"), last) << tool.name;
  }
  EXPECT_EQ(mcp_instructions().find("setLevel"), std::string_view::npos);
}

TEST_F(MessageToolTest, StartsASessionAndReturnsItsTask) {
  const json::object sent = content_of(call("session_message", {{"message", "hello"}}));
  EXPECT_THAT(std::string(sent.at("session_id").as_string()), HasSubstr("ses_"));
  EXPECT_FALSE(sent.at("task_id").as_string().empty());
  EXPECT_FALSE(sent.contains("text"));
}

TEST_F(MessageToolTest, QueuesAMessageForABusySession) {
  const json::object first = content_of(call("session_message", {{"message", "one"}}));
  const json::object second = content_of(
      call("session_message", {{"message", "two"}, {"session_id", first.at("session_id")}}));
  EXPECT_EQ(second.at("session_id"), first.at("session_id"));
  EXPECT_NE(second.at("task_id"), first.at("task_id"));
  EXPECT_GE(second.at("queued").to_number<int>(), 1);
}

TEST_F(MessageToolTest, ARepeatedRequestReturnsTheFirstTask) {
  const json::object arguments{{"message", "hello"}, {"request_id", "r"}};
  const json::object first = content_of(call("session_message", arguments));
  const json::object second = content_of(call("session_message", arguments));
  EXPECT_EQ(second.at("session_id"), first.at("session_id"));
  EXPECT_EQ(second.at("task_id"), first.at("task_id"));
}

TEST_F(MessageToolTest, RejectsAnEmptyMessageAndOptionsOfANewSession) {
  EXPECT_EQ(code_in(call("session_message")), "invalid_request");
  EXPECT_EQ(code_in(call("session_message", {{"message", ""}})), "invalid_request");
  const json::object result =
      call("session_message",
           {{"message", "hello"}, {"session_id", create_session()}, {"agent", "silent"}});
  EXPECT_EQ(code_in(result), "invalid_request");
  EXPECT_THAT(std::string(result.at("content").at(0).at("text").as_string()), HasSubstr("agent:"));
}

TEST_F(MessageToolTest, NeedsATokenThatMayWrite) {
  scopes_ = {Scope::kRead};
  EXPECT_EQ(code_in(call("session_message", {{"message", "hello"}})), "missing_scope");
}

}  // namespace
}  // namespace oriel
