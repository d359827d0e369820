#include "api/mcp/turn_resources.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

std::vector<Turn> commands(int count) {
  std::vector<Turn> turns;
  for (int i = 0; i < count; ++i) {
    Turn turn;
    turn.turn_id = "turn_" + std::to_string(i);
    turn.session_id = "ses_1";
    turn.task_id = "task_" + std::to_string(i);
    turn.text = "do " + std::to_string(i);
    turn.timestamp = WallTime(std::chrono::milliseconds(1000 + i));
    turn.ordinal = static_cast<std::uint64_t>(i);
    turns.push_back(turn);
  }
  return turns;
}

TEST(TurnResources, ShowAllTurnsWhenTheyAreFew) {
  const auto shown = turns_resource("ses_1", commands(100));
  EXPECT_EQ(shown.at("turns").as_array().size(), 100U);
  EXPECT_FALSE(shown.at("has_earlier").as_bool());
  EXPECT_FALSE(shown.contains("hint"));
}

TEST(TurnResources, ShowTheNewestTurnsWithAHintForEarlierOnes) {
  const auto shown = turns_resource("ses_1", commands(130));
  const auto& turns = shown.at("turns").as_array();
  ASSERT_EQ(turns.size(), 100U);
  EXPECT_EQ(turns.front().at("text"), "do 30");
  EXPECT_EQ(turns.back().at("text"), "do 129");
  EXPECT_EQ(shown.at("count").to_number<int>(), 130);
  EXPECT_TRUE(shown.at("has_earlier").as_bool());
  EXPECT_THAT(std::string(shown.at("hint").as_string()),
              HasSubstr("/api/sessions/ses_1/turns?before=" +
                        std::string(turns.front().at("cursor").as_string()) + " "));
}

TEST(TurnResources, ShowTheNewestTasks) {
  const auto shown = tasks_resource(commands(130));
  const auto& tasks = shown.at("tasks").as_array();
  ASSERT_EQ(tasks.size(), 100U);
  EXPECT_EQ(tasks.front().at("title"), "do 30");
  EXPECT_EQ(shown.at("count").to_number<int>(), 130);
}

}  // namespace
}  // namespace oriel
