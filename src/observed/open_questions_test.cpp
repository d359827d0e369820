#include "observed/open_questions.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

const boost::json::value kNoInput;

ToolCall call_of(const std::string& id, std::uint64_t fingerprint) {
  return {.id = id, .name = "Bash", .input = kNoInput, .fingerprint = fingerprint};
}

Turn turn_of(const std::string& turn_id, const std::string& task_id) {
  Turn turn;
  turn.turn_id = turn_id;
  turn.task_id = task_id;
  return turn;
}

TEST(OpenQuestions, AreFoundByTheCallOrByItsFingerprintIfOneHasNoId) {
  OpenQuestions questions;
  questions.add_question(turn_of("one", "task"), call_of("t1", 7));
  questions.add_permission(turn_of("two", "task"), call_of("", 8));
  EXPECT_EQ(questions.find(call_of("t1", 0))->turn_id, "one");
  EXPECT_EQ(questions.find(call_of("", 7))->turn_id, "one");
  EXPECT_EQ(questions.find(call_of("t2", 8))->turn_id, "two");
  EXPECT_EQ(questions.find(call_of("t2", 7)), nullptr);
}

TEST(OpenQuestions, ACallTakesItsQuestionAndItsPermission) {
  OpenQuestions questions;
  questions.add_question(turn_of("one", "task"), call_of("t1", 7));
  questions.add_permission(turn_of("two", "task"), call_of("", 7));
  questions.add_question(turn_of("other", "task"), call_of("t2", 9));
  EXPECT_EQ(questions.take(call_of("t1", 7)).size(), 2U);
  EXPECT_TRUE(questions.has_any("task"));
  EXPECT_EQ(questions.take_all("task").size(), 1U);
  EXPECT_FALSE(questions.has_any("task"));
}

TEST(OpenQuestions, AWithdrawnTurnIsNoQuestion) {
  OpenQuestions questions;
  questions.add_question(turn_of("one", "a"), call_of("t1", 7));
  questions.add_question(turn_of("two", "a"), call_of("t2", 8));
  questions.forget("one");
  questions.move_all("a", "b");
  EXPECT_FALSE(questions.has_any("a"));
  EXPECT_EQ(questions.take_all("b").front().turn_id, "two");
}

}  // namespace
}  // namespace oriel
