#include "mcp/stateless/input_rounds.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

const std::vector<InputRequest> kName = {
    {.key = "name", .method = "elicitation/create", .params = {{"message", "Who?"}}}};
const std::vector<InputRequest> kColor = {
    {.key = "color", .method = "elicitation/create", .params = {{"message", "Which?"}}}};

const json::object kAlice{{"action", "accept"}, {"content", {{"name", "Alice"}}}};

boost::system::result<InputRounds, RpcError> read(const json::object& params,
                                                  const StateSealer& sealer,
                                                  const std::string& purpose = "tool") {
  return InputRounds::read(params, sealer, purpose, 1h);
}

TEST(InputRounds, WithoutAnswersTheQuestionsAreTheResult) {
  const StateSealer sealer;
  auto rounds = read({}, sealer);
  ASSERT_TRUE(rounds.has_value());
  EXPECT_FALSE(rounds->answers_to(kName));
  rounds->ask(kName, {});
  const json::object result = rounds->to_result(sealer, "tool");
  EXPECT_EQ(result.at("resultType"), "input_required");
  EXPECT_EQ(result.at("inputRequests").at("name").at("method"), "elicitation/create");
  EXPECT_TRUE(result.at("requestState").is_string());
}

TEST(InputRounds, AnswersOfEarlierRoundsComeBackWithTheState) {
  const StateSealer sealer;
  auto first = read({{"inputResponses", {{"name", kAlice}}}}, sealer);
  ASSERT_TRUE(first->answers_to(kName));
  first->ask(kColor, {{"step", 2}});
  const json::object result = first->to_result(sealer, "tool");
  auto second = read({{"requestState", result.at("requestState")},
                      {"inputResponses", {{"color", {{"action", "accept"}}}}}},
                     sealer);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->answers_to(kName)->at("name"), kAlice);
  EXPECT_TRUE(second->answers_to(kColor));
  EXPECT_EQ(second->kept().at("step"), 2);
}

TEST(InputRounds, WhatIsNoAnswerIsAskedAgain) {
  const StateSealer sealer;
  for (const json::value& answers :
       {json::value(nullptr), json::value{{"name", 12345}}, json::value{{"other", kAlice}}}) {
    auto rounds = read({{"inputResponses", answers}}, sealer);
    ASSERT_TRUE(rounds.has_value());
    EXPECT_FALSE(rounds->answers_to(kName)) << answers;
  }
}

TEST(InputRounds, StateOfAnotherServerOrPurposeIsRefused) {
  const StateSealer sealer;
  auto rounds = read({}, sealer);
  rounds->ask(kName, {});
  const json::object result = rounds->to_result(sealer, "tool");
  std::string tampered(result.at("requestState").as_string());
  tampered += "x";
  EXPECT_EQ(read({{"requestState", tampered}}, sealer).error().code, kInvalidParams);
  EXPECT_FALSE(read({{"requestState", result.at("requestState")}}, sealer, "other tool"));
  EXPECT_FALSE(read({{"requestState", result.at("requestState")}}, StateSealer()));
  EXPECT_FALSE(read({{"requestState", 7}}, sealer));
}

}  // namespace
}  // namespace oriel::mcp
