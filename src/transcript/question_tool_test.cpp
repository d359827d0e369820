#include "transcript/question_tool.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

TEST(QuestionTool, ToolsThatAskAPersonAreKnown) {
  EXPECT_TRUE(is_question_tool("AskUserQuestion"));
  EXPECT_TRUE(is_question_tool("ExitPlanMode"));
  EXPECT_FALSE(is_question_tool("Bash"));
}

TEST(QuestionTool, ChoicesHaveOneShape) {
  const json::value input = json::parse(
      R"({"questions":[{"question":"Which?","multiSelect":true,"options":[{"label":"a"},{"label":"b"}]}]})");
  EXPECT_EQ(question_text("AskUserQuestion", input), "Which?");
  const ToolQuestion question = tool_question("AskUserQuestion", "t1", input);
  const std::vector<Question> questions = {
      {.text = "Which?", .choices = {"a", "b"}, .takes_many = true}};
  EXPECT_EQ(question.questions, questions);
  EXPECT_EQ(question.input, input);
  EXPECT_EQ(question.status, QuestionStatus::kPending);
}

TEST(QuestionTool, APlanIsAQuestion) {
  EXPECT_EQ(question_text("ExitPlanMode", {{"plan", "1. do it"}}), "1. do it");
  EXPECT_EQ(question_text("ExitPlanMode", nullptr), "ExitPlanMode");
}

TEST(QuestionTool, SeveralAnswersNameTheirQuestions) {
  EXPECT_EQ(answer_text(json::parse(R"({"answers":{"A?":"1","B?":["2","3"]}})")), "A?: 1\nB?: 23");
  EXPECT_EQ(answer_text(json::parse(R"({"answers":{"A?":"1"}})")), "1");
  EXPECT_EQ(answer_text("no object"), "");
}

TEST(QuestionTool, OutputIsTextWhateverItsShape) {
  EXPECT_EQ(output_text("plain"), "plain");
  EXPECT_EQ(output_text(json::parse(R"({"stdout":"a","stderr":"b"})")), "a\nb");
  EXPECT_EQ(output_text(json::parse(R"([{"type":"text","text":"a"}])")), "a");
  EXPECT_EQ(output_text(json::parse(R"({"content":"a"})")), "a");
  EXPECT_EQ(output_text(json::parse(R"({"x":1})")), R"({"x":1})");
}

}  // namespace
}  // namespace oriel
