#include "api/mcp/tool.h"

#include "api/mcp/tool_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

TEST(Tool, AnErrorNamesTheNextCallForModelsAndTheCodeForPrograms) {
  const json::object result = error_result(
      {.kind = ErrorKind::kUnknownSession, .message = "there is no session", .hint = "GET /api"},
      {{"number", 1}});
  EXPECT_TRUE(result.at("isError").as_bool());
  const std::string text(result.at("content").at(0).at("text").as_string());
  EXPECT_THAT(text, HasSubstr("there is no session; call session_list"));
  EXPECT_THAT(text, testing::Not(HasSubstr("GET /api")));
  const json::value& error = result.at("_meta").at("oriel/error");
  EXPECT_EQ(error.at("code").as_string(), "unknown_session");
  EXPECT_EQ(error.at("data").at("number").to_number<int>(), 1);
}

TEST(Tool, AnErrorKeepsItsHintWhereNoToolHelps) {
  const json::object result =
      error_result({.kind = ErrorKind::kStopping, .message = "stopping", .hint = "retry later"});
  EXPECT_EQ(result.at("content").at(0).at("text").as_string(), "stopping; retry later");
  EXPECT_FALSE(result.at("_meta").at("oriel/error").as_object().contains("data"));
}

TEST(Tool, ALateAnswerIsToldWhatItCanStillDo) {
  const json::object result = error_result({.kind = ErrorKind::kAlreadyResolved,
                                            .message = "this permission expired",
                                            .hint = "send the agent a message to ask again"});
  EXPECT_EQ(result.at("content").at(0).at("text").as_string(),
            "this permission expired; send the agent a message to ask again");
}

TEST(Tool, AnnotationsFollowTheEffect) {
  const json::object reads = annotations("T", Effect::kReads, true);
  EXPECT_EQ(reads.at("readOnlyHint"), json::value(true));
  EXPECT_EQ(reads.at("destructiveHint"), json::value(false));
  const json::object destroys = annotations("T", Effect::kDestroys, false);
  EXPECT_EQ(destroys.at("readOnlyHint"), json::value(false));
  EXPECT_EQ(destroys.at("destructiveHint"), json::value(true));
  EXPECT_EQ(destroys.at("idempotentHint"), json::value(false));
}

using ToolArguments = ToolFixture;

TEST_F(ToolArguments, NullCountsAsAbsent) {
  EXPECT_FALSE(is_error(call("session_list", {{"status", nullptr}, {"limit", nullptr}})));
}

}  // namespace
}  // namespace oriel
