#include "base/event/turn_data.h"

#include "base/text/json_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

PermissionQuestion full_permission_question() {
  return {
      .permission_id = "p1",
      .tool_call_id = "t1",
      .input = {{"command", "ls"}},
      .details = {{"cwd", "/"}},
      .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::kAllowAlways, .scope = "ls"}},
      .questions = {{.text = "Which?", .choices = {"a", "b"}, .takes_many = true}},
      .expires_at = WallTime(std::chrono::milliseconds(1'794'777'567'042)),
      .status = PermissionStatus::kExpired};
}

TEST(TurnData, EveryKindIsReadBackAsItWas) {
  const std::vector<TurnData> kinds = {
      std::monostate(),
      full_permission_question(),
      PermissionDecision{.permission_id = "p1", .status = PermissionStatus::kDenied, .by = "ann"},
      ToolQuestion{.tool_name = "Bash",
                   .tool_call_id = {},
                   .input = {{"command", "ls"}},
                   .questions = {{.text = "Which?", .choices = {}, .takes_many = false}},
                   .status = QuestionStatus::kRefused},
      ToolAnswer{.tool_call_id = "t1"},
      CompletionOutcome{.status = TaskEnd::kError, .detail = "max_tokens"},
      CompletionOutcome{.status = TaskEnd::kCancelled}};
  ASSERT_EQ(kinds.size(), std::variant_size_v<TurnData> + 1);
  for (const TurnData& data : kinds)
    EXPECT_EQ(parse_turn_data(to_json(data)), data) << json_text(to_json(data));
}

TEST(TurnData, ThePermissionsKeysHaveTheirOrder) {
  EXPECT_EQ(json_text(to_json(full_permission_question())),
            R"({"permission_id":"p1","tool_call_id":"t1","input":{"command":"ls"},)"
            R"("options":[{"option_id":"yes","label":"Yes","kind":"allow_always","scope":"ls"}],)"
            R"("questions":[{"text":"Which?","choices":["a","b"],"takes_many":true}],)"
            R"("expires_at":"2026-11-15T21:19:27.042Z","details":{"cwd":"/"},"status":"expired"})");
}

TEST(TurnData, AnotherShapeIsNoData) {
  EXPECT_EQ(parse_turn_data({}), TurnData());
  EXPECT_EQ(parse_turn_data({{"status", "unheard of"}}), TurnData());
  EXPECT_EQ(parse_turn_data({{"other", 1}}), TurnData());
}

TEST(TurnData, OnlyAQuestionWithoutAnAnswerIsPending) {
  PermissionQuestion permission = full_permission_question();
  EXPECT_FALSE(is_pending(permission));
  permission.status = PermissionStatus::kPending;
  EXPECT_TRUE(is_pending(permission));
  EXPECT_TRUE(is_pending(ToolQuestion{}));
  EXPECT_FALSE(is_pending(ToolAnswer{}));
  EXPECT_FALSE(is_pending(std::monostate()));
}

}  // namespace
}  // namespace oriel
