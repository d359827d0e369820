#include "api/mcp/session_tools.h"

#include "api/mcp/tool_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

using SessionToolsTest = ToolFixture;

TEST_F(SessionToolsTest, ListsSessionsByFilterAndLimit) {
  create_session();
  create_session();
  const json::object all = content_of(call("session_list", {{"limit", 1}}));
  EXPECT_EQ(all.at("count").to_number<int>(), 2);
  EXPECT_EQ(all.at("sessions").as_array().size(), 1U);
  const json::object none = content_of(call("session_list", {{"agent", "other"}}));
  EXPECT_EQ(none.at("count").to_number<int>(), 0);
}

TEST_F(SessionToolsTest, RejectsArgumentsThatItDoesNotKnow) {
  EXPECT_EQ(code_in(call("session_list", {{"colour", "red"}})), "invalid_request");
  EXPECT_EQ(code_in(call("session_list", {{"status", "asleep"}})), "invalid_request");
  EXPECT_EQ(code_in(call("session_get")), "invalid_request");
}

TEST_F(SessionToolsTest, ShowsASession) {
  const std::string id = create_session();
  EXPECT_EQ(content_of(call("session_get", {{"session_id", id}})).at("session_id").as_string(), id);
}

TEST_F(SessionToolsTest, AnUnknownSessionIsAnErrorThatNamesTheNextTool) {
  const json::object result = call("session_get", {{"session_id", "ses_none"}});
  EXPECT_TRUE(is_error(result));
  EXPECT_EQ(code_in(result), "unknown_session");
  EXPECT_THAT(std::string(result.at("content").at(0).at("text").as_string()),
              HasSubstr("call session_list"));
}

TEST_F(SessionToolsTest, CancelsOnlyARunningTask) {
  EXPECT_EQ(code_in(call("session_cancel", {{"session_id", create_session()}})), "no_task");
}

TEST_F(SessionToolsTest, EndsASession) {
  const json::object ended = content_of(call("session_end", {{"session_id", create_session()}}));
  EXPECT_EQ(ended.at("status").as_string(), "completed");
}

TEST_F(SessionToolsTest, AReadOnlyTokenMayLookButNotEnd) {
  const std::string id = create_session();
  scopes_ = {Scope::kRead};
  EXPECT_FALSE(is_error(call("session_get", {{"session_id", id}})));
  EXPECT_EQ(code_in(call("session_cancel", {{"session_id", id}})), "missing_scope");
  EXPECT_EQ(code_in(call("session_end", {{"session_id", id}})), "missing_scope");
}

TEST_F(SessionToolsTest, ListsAgentsWithTheDefault) {
  const json::object agents = content_of(call("agent_list"));
  EXPECT_EQ(agents.at("default").as_string(), "silent");
  EXPECT_EQ(agents.at("agents").at(0).at("name").as_string(), "silent");
}

TEST_F(SessionToolsTest, CommandLinesAreHiddenFromAReadOnlyToken) {
  const auto shows_command = [&] {
    return content_of(call("agent_list")).at("agents").at(0).as_object().contains("command");
  };
  EXPECT_TRUE(shows_command());
  scopes_ = {Scope::kRead};
  EXPECT_FALSE(shows_command());
}

TEST_F(SessionToolsTest, LongTitleIsRefused) {
  const json::object result =
      call("session_message", {{"message", "m"}, {"title", std::string(1025, 't')}});
  EXPECT_TRUE(is_error(result));
  EXPECT_EQ(code_in(result), "invalid_request");
}

}  // namespace
}  // namespace oriel
