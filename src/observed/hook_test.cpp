#include "observed/hook.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_TURN_6, TheAgentsPayloadIsParsedUnchanged) {
  const auto hook = parse_hook(
      HookKind::kPostToolUse,
      R"({"session_id":"c93a-1","transcript_path":"/h/.claude/projects/p/c93a-1.jsonl","cwd":"/p",
          "prompt_id":"ae4c","permission_mode":"default","effort":{"level":"high"},
          "hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},
          "tool_response":{"stdout":"a"},"tool_use_id":"toolu_1","duration_ms":95,"oriel_pid":42})");
  ASSERT_TRUE(hook) << hook.error().message;
  EXPECT_EQ(hook->session_id, "c93a-1");
  EXPECT_EQ(hook->transcript_path, "/h/.claude/projects/p/c93a-1.jsonl");
  EXPECT_EQ(hook->cwd, "/p");
  EXPECT_EQ(hook->prompt_id, "ae4c");
  EXPECT_EQ(hook->tool_name, "Bash");
  EXPECT_EQ(hook->tool_call_id, "toolu_1");
  EXPECT_EQ(hook->tool_input.at("command"), "ls");
  EXPECT_EQ(hook->tool_response.at("stdout"), "a");
  EXPECT_EQ(hook->pid, 42);
}

struct BadBody {
  HookKind kind;
  const char* body;
  const char* says;
};

TEST(R_TURN_6, AnErrorNamesTheField) {
  const std::vector<BadBody> bodies = {
      {HookKind::kStop, "", "JSON object"},
      {HookKind::kStop, "[1]", "JSON object"},
      {HookKind::kStop, "{\"session_id\":\"a\"", "JSON object"},
      {HookKind::kStop, "{}", "`session_id` is missing"},
      {HookKind::kStop, R"({"session_id":""})", "`session_id` is missing"},
      {HookKind::kStop, R"({"session_id":7})", "`session_id` has the wrong type"},
      {HookKind::kStop, R"({"session_id":"../x"})", "`session_id` is \"../x\""},
      {HookKind::kStop, R"({"session_id":"a","cwd":[]})", "`cwd` has the wrong type"},
      {HookKind::kStop, R"({"session_id":"a","cwd":"/w\u0000/x"})", "NUL"},
      {HookKind::kStop, R"({"session_id":"a","transcript_path":"/w\u0000"})", "NUL"},
      {HookKind::kStop, R"({"session_id":"a","oriel_pid":-1})", "`oriel_pid` has the wrong type"},
      {HookKind::kStop, R"({"session_id":"a","hook_event_name":"PreToolUse"})",
       "`hook_event_name` is \"PreToolUse\""},
      {HookKind::kUserPromptSubmit, R"({"session_id":"a"})", "`prompt` is missing"},
      {HookKind::kPreToolUse, R"({"session_id":"a"})", "`tool_name` is missing"},
  };
  for (const BadBody& bad : bodies) {
    const auto hook = parse_hook(bad.kind, bad.body);
    ASSERT_FALSE(hook) << bad.body;
    EXPECT_EQ(hook.error().kind, ErrorKind::kInvalidHook);
    EXPECT_NE(hook.error().message.find(bad.says), std::string::npos) << hook.error().message;
    EXPECT_FALSE(hook.error().hint.empty());
  }
}

TEST(R_TURN_6, AHookIsReadBackAsItWasFormatted) {
  const std::vector<std::pair<HookKind, const char*>> bodies = {
      {HookKind::kPostToolUse,
       R"({"session_id":"a","transcript_path":"/h/a.jsonl","cwd":"/p","prompt_id":"b",
           "agent_id":"sub","oriel_pid":42,"tool_name":"Bash","tool_use_id":"t",
           "tool_input":{"command":"ls"},"tool_response":{"stdout":"a\n"}})"},
      {HookKind::kSessionStart, R"({"session_id":"a","source":"compact"})"},
      {HookKind::kSessionEnd, R"({"session_id":"a","reason":"logout"})"},
      {HookKind::kUserPromptSubmit, R"({"session_id":"a","prompt":"say \"hi\""})"},
      {HookKind::kStop, R"({"session_id":"a","last_assistant_message":"done"})"},
      {HookKind::kNotification,
       R"({"session_id":"a","message":"may I?","notification_type":"permission_prompt"})"}};
  for (const auto& [kind, body] : bodies) {
    const auto hook = parse_hook(kind, body);
    ASSERT_TRUE(hook) << hook.error().message;
    const auto back = parse_hook(kind, format_hook(*hook));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, *hook) << name_of(kind);
  }
}

TEST(R_TURN_6, NullEqualsAMissingField) {
  EXPECT_TRUE(parse_hook(HookKind::kStop, R"({"session_id":"a","cwd":null,"unknown":[1,2]})"));
}

TEST(R_TURN_6, AnUnknownSourceOfAStartIsAccepted) {
  const auto source_of = [](const std::string& source) {
    return parse_hook(HookKind::kSessionStart, R"({"session_id":"a","source":")" + source + R"("})")
        ->source;
  };
  EXPECT_EQ(source_of("startup"), StartSource::kStartup);
  EXPECT_EQ(source_of("resume"), StartSource::kResume);
  EXPECT_EQ(source_of("clear"), StartSource::kClear);
  EXPECT_EQ(source_of("compact"), StartSource::kCompact);
  EXPECT_EQ(source_of("import"), StartSource::kOther);
  EXPECT_EQ(source_of(""), StartSource::kOther);
}

}  // namespace
}  // namespace oriel
