#include "api/mcp/session_tools.h"

#include "api/mcp/tool_testing.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

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

TEST_F(SessionToolsTest, ListsShortRowsUnlessDetailsAreRequested) {
  const std::string id = create_session();
  const json::object row = content_of(call("session_list")).at("sessions").at(0).as_object();
  std::vector<std::string> keys;
  for (const auto& [key, value] : row)
    keys.emplace_back(key);
  EXPECT_THAT(
      keys, UnorderedElementsAre("session_id", "agent", "title", "status", "state", "updated_at"));
  const json::object detailed = content_of(call("session_list", {{"detail", true}}));
  EXPECT_EQ(detailed.at("sessions").at(0).as_object(),
            content_of(call("session_get", {{"session_id", id}})));
  EXPECT_EQ(detailed.at("has_more"), json::value(false));
}

TEST_F(SessionToolsTest, ManySessionsWithLongTitlesAreListedInFourKilobytes) {
  std::string title;
  for (int i = 0; i < 300; ++i)
    title += "長";
  for (int i = 0; i < 100; ++i) {
    NewSession wanted;
    wanted.title = title;
    ASSERT_TRUE(wait(supervisor_.create(std::move(wanted))));
  }
  const json::object list = content_of(call("session_list"));
  EXPECT_LE(json::serialize(list).size(), 4096U);
  EXPECT_GT(list.at("sessions").as_array().size(), 5U);
  EXPECT_EQ(list.at("count").to_number<int>(), 100);
  EXPECT_EQ(list.at("has_more"), json::value(true));
  const json::object all = content_of(call("session_list", {{"limit", 100}}));
  EXPECT_EQ(all.at("sessions").as_array().size(), 100U);
  EXPECT_EQ(all.at("has_more"), json::value(false));
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

using R_AUTH_6_Tools = ToolFixture;

TEST_F(R_AUTH_6_Tools, CallsWithoutTheScopeAreRecorded) {
  const std::string id = create_session();
  scopes_ = {Scope::kRead};
  call("session_cancel", {{"session_id", id}});
  call("session_end", {{"session_id", id}});
  call("session_message", {{"message", "hello"}, {"session_id", id}});
  call("session_message", {{"message", "hello"}});
  call("permission_answer", {{"session_id", id}, {"permission_id", "p"}, {"decision", "allow"}});
  ReadQuery query;
  query.filter.is_audit = true;
  std::vector<std::string> entries;
  for (const RecordPtr& record : wait(journal_.read(query)).records) {
    const json::value entry = json::parse(record->json());
    const json::object& data = entry.at("data").as_object();
    const json::value* const session = data.if_contains("session_id");
    EXPECT_EQ(data.at("by"), "ann");
    EXPECT_EQ(session == nullptr ? id : std::string(session->as_string()), id);
    entries.push_back(std::string(entry.at("text").as_string()) + " " +
                      std::string(entry.at("status").as_string()));
  }
  EXPECT_THAT(entries, testing::ElementsAre("cancel missing_scope", "end missing_scope",
                                            "message missing_scope", "start missing_scope",
                                            "answer missing_scope"));
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
