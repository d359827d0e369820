#include "api/mcp/prompts.h"

#include "api/mcp/tool_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class PromptsTest : public ToolFixture {
 protected:
  std::string text_of(std::string_view name, json::object arguments) {
    const json::object result = prompt(name, std::move(arguments)).value();
    return std::string(result.at("messages").at(0).at("content").at("text").as_string());
  }
};

TEST_F(PromptsTest, SuperviseNamesTheTaskAndTheAgent) {
  EXPECT_THAT(text_of("supervise", {{"task", "fix the build"}}), HasSubstr("fix the build"));
  EXPECT_THAT(text_of("supervise", {{"task", "fix"}, {"agent", "codex"}}),
              HasSubstr("(agent: codex)"));
}

TEST_F(PromptsTest, CatchUpNamesTheSession) {
  EXPECT_THAT(text_of("catch_up", {{"session_id", "ses_1"}}), HasSubstr("ses_1"));
}

TEST_F(PromptsTest, AMissingArgumentIsAnError) {
  for (const char* name : {"supervise", "catch_up"}) {
    const mcp::RpcResult result = prompt(name, {});
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, mcp::kInvalidParams);
  }
}

TEST_F(PromptsTest, EveryToolThatTheTextsNameExists) {
  std::string texts(mcp_instructions());
  texts += text_of("supervise", {{"task", "x"}}) + text_of("catch_up", {{"session_id", "x"}});
  for (const char* tool : {"session_message", "session_events", "session_get", "session_cancel",
                           "session_end", "permission_answer"}) {
    EXPECT_THAT(texts, HasSubstr(tool));
    EXPECT_TRUE(std::any_of(catalog_.get().tools.begin(), catalog_.get().tools.end(),
                            [&](const mcp::Tool& known) { return known.name == tool; }))
        << tool;
  }
}

}  // namespace
}  // namespace oriel
