#include "api/mcp/search_tool.h"

#include "api/mcp/tool_testing.h"
#include "base/event/turn_event.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

class R_SEARCH_6_Tool : public ToolFixture {
 protected:
  R_SEARCH_6_Tool() {
    on_shard([this] { index_.start(); });
  }

  void say(const std::string& session_id, const std::string& text) {
    Turn turn;
    turn.turn_id = new_turn_id();
    turn.session_id = session_id;
    turn.actor = TurnActor::kAgent;
    turn.text = text;
    turn.timestamp = wall_now();
    std::vector<SessionEvent> events{turn_created_event(turn, std::nullopt)};
    wait(journal_.append(std::move(events))).value();
  }

  json::object search(json::object arguments) {
    EXPECT_TRUE(eventually([this] { return index_.status().position >= journal_.head(); }));
    return content_of(call("session_search", std::move(arguments)));
  }
};

TEST_F(R_SEARCH_6_Tool, FindsWordsWithTheirEvent) {
  const std::string id = create_session();
  say(id, "the needle is here");
  const json::object found = search({{"q", "needle"}});
  const json::object& row = found.at("results").at(0).as_object();
  EXPECT_EQ(row.at("session_id").as_string(), id);
  EXPECT_EQ(row.at("snippet").as_string(), "the needle is here");
  EXPECT_EQ(row.at("role").as_string(), "agent");
  EXPECT_TRUE(row.contains("index"));
  EXPECT_FALSE(row.contains("ranges"));
}

TEST_F(R_SEARCH_6_Tool, AnswersInFourKilobytesAndGoesOnWhereItStopped) {
  const std::string id = create_session();
  std::string text = "needle";
  for (int i = 0; i < 60; ++i)
    text += " l\u00f6ng";
  for (int i = 0; i < 30; ++i)
    say(id, text + " " + std::to_string(i));
  std::set<std::int64_t> indexes;
  json::object arguments{{"q", "needle"}, {"types", {"message"}}};
  for (bool has_more = true; has_more;) {
    const json::object page = search(arguments);
    EXPECT_LE(json::serialize(page).size(), 4096U);
    EXPECT_LE(page.at("results").as_array().size(), 10U);
    ASSERT_FALSE(page.at("results").as_array().empty());
    for (const json::value& row : page.at("results").as_array())
      EXPECT_TRUE(indexes.insert(row.at("index").to_number<std::int64_t>()).second);
    has_more = page.at("has_more").as_bool();
    if (has_more) arguments["cursor"] = page.at("cursor");
  }
  EXPECT_EQ(indexes.size(), 30U);
  EXPECT_EQ(search({{"q", "needle"}, {"limit", 30}, {"types", {"message"}}})
                .at("results")
                .as_array()
                .size(),
            30U);
}

TEST_F(R_SEARCH_6_Tool, RejectsWrongArguments) {
  EXPECT_EQ(code_in(call("session_search")), "invalid_request");
  EXPECT_EQ(code_in(call("session_search", {{"q", 5}})), "invalid_request");
  EXPECT_EQ(code_in(call("session_search", {{"q", "a"}, {"limit", 101}})), "invalid_request");
  EXPECT_EQ(code_in(call("session_search", {{"q", "!!"}})), "invalid_parameter");
  EXPECT_EQ(code_in(call("session_search", {{"q", "a"}, {"role", "root"}})), "invalid_parameter");
  EXPECT_EQ(code_in(call("session_search", {{"q", "a"}, {"session_id", "none"}})),
            "unknown_session");
}

}  // namespace
}  // namespace oriel
