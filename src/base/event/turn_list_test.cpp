#include "base/event/turn_list.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

Turn turn_of(int time, std::uint64_t ordinal, TurnIntent intent = TurnIntent::kProgress,
             const std::string& task_id = "task_1") {
  Turn turn;
  turn.turn_id = "turn_" + std::to_string(ordinal);
  turn.task_id = task_id;
  turn.intent = intent;
  turn.text = std::to_string(ordinal);
  turn.timestamp = WallTime(milliseconds(time));
  turn.ordinal = ordinal;
  return turn;
}

// The second and the third are of one millisecond.
std::vector<Turn> five() {
  return {turn_of(10, 1), turn_of(20, 2), turn_of(20, 3), turn_of(30, 4), turn_of(40, 5)};
}

Texts texts(const TurnPage& page) {
  Texts texts;
  for (const Turn& turn : page.turns)
    texts.push_back(turn.text);
  return texts;
}

TEST(TurnList, WithoutACursorThePageIsTheNewest) {
  const TurnPage page = page_of(five(), {.after = {}, .before = {}, .limit = 2});
  EXPECT_EQ(texts(page), (Texts{"4", "5"}));
  EXPECT_TRUE(page.has_earlier);
  EXPECT_FALSE(page.has_later);
  EXPECT_EQ(page.count, 5U);
}

TEST(TurnList, PagesGoBackwardsAndForwardsWithoutHoleOrRepetition) {
  const TurnPage back = page_of(five(), {.after = {}, .before = turn_of(30, 4).key(), .limit = 2});
  EXPECT_EQ(texts(back), (Texts{"2", "3"}));
  EXPECT_TRUE(back.has_earlier);
  EXPECT_TRUE(back.has_later);
  const TurnPage on = page_of(five(), {.after = turn_of(20, 2).key(), .before = {}, .limit = 2});
  EXPECT_EQ(texts(on), (Texts{"3", "4"}));
  const TurnPage all = page_of(five(), {.after = TurnKey{}, .before = {}, .limit = 9});
  EXPECT_EQ(all.turns.size(), 5U);
  EXPECT_FALSE(all.has_later);
}

TEST(TurnList, ACursorOfATurnThatIsNoMoreStillHasItsPlace) {
  const TurnKey gone{.timestamp = WallTime(milliseconds(25)), .ordinal = 9};
  EXPECT_EQ(texts(page_of(five(), {.after = gone, .before = {}, .limit = 9})), (Texts{"4", "5"}));
  EXPECT_EQ(texts(page_of(five(), {.after = {}, .before = gone, .limit = 1})), Texts{"3"});
}

TEST(TurnList, ATaskIsWhatItsLastTurnLeavesItAs) {
  Turn question = turn_of(20, 2, TurnIntent::kQuestion);
  const Turn command = turn_of(10, 1, TurnIntent::kCommand);
  const auto asked = [](QuestionStatus status) {
    return ToolQuestion{
        .tool_name = "Bash", .tool_call_id = "t", .input = {}, .questions = {}, .status = status};
  };
  const auto state = [](const std::vector<Turn>& turns) { return tasks_of(turns).at(0).state; };
  EXPECT_EQ(state({command}), WorkState::kCommanded);
  EXPECT_EQ(state({command, turn_of(11, 2)}), WorkState::kProcessing);
  EXPECT_EQ(state({command, question}), WorkState::kAwaitingInput);
  question.data = asked(QuestionStatus::kPending);
  EXPECT_EQ(state({command, question}), WorkState::kAwaitingInput);
  question.data = asked(QuestionStatus::kAnswered);
  EXPECT_EQ(state({command, question}), WorkState::kProcessing);
  EXPECT_EQ(state({command, turn_of(11, 2, TurnIntent::kCompletion)}), WorkState::kComplete);
}

TEST(TurnList, TasksAreInTheOrderOfTheirFirstTurnsAndNamedByTheirCommands) {
  const auto tasks = tasks_of({turn_of(10, 1, TurnIntent::kCommand, "task_b"),
                               turn_of(20, 2, TurnIntent::kCommand, "task_a"),
                               turn_of(30, 3, TurnIntent::kCompletion, "task_b")});
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].task_id, "task_b");
  EXPECT_EQ(tasks[0].title, "1");
  EXPECT_EQ(tasks[0].turns, 2U);
  EXPECT_EQ(tasks[0].updated_at, WallTime(milliseconds(30)));
  EXPECT_EQ(tasks[1].task_id, "task_a");
}

}  // namespace
}  // namespace oriel
