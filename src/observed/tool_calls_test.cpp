#include "observed/tool_calls.h"

#include "observed/observed_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

HookEvent hook_of(const std::string& tool_call_id, const std::string& command) {
  HookEvent hook;
  hook.tool_name = "Bash";
  hook.tool_call_id = tool_call_id;
  hook.tool_input = {{"command", command}};
  return hook;
}

TEST(ToolCalls, AnEndedToolIsStillKnown) {
  ToolCalls tools;
  const HookEvent hook = hook_of("t1", "ls");
  tools.start(tool_call_of(hook), "task", at_ms(0));
  EXPECT_EQ(tools.running_ids("task"), std::vector<std::string>{"t1"});
  ASSERT_TRUE(tools.end("t1", at_ms(5)));
  EXPECT_FALSE(tools.end("t1", at_ms(6)));
  EXPECT_EQ(tools.find("t1"), nullptr);
  EXPECT_TRUE(tools.knows("t1"));
}

TEST(ToolCalls, AHookWithoutAnIdBelongsToAnEqualToolThatHasJustEnded) {
  ToolCalls tools;
  const HookEvent hook = hook_of("", "ls");
  const ToolCall call = tool_call_of(hook);
  tools.note_ended(call.fingerprint, at_ms(0));
  EXPECT_TRUE(tools.has_ended_recently(call, at_ms(9'000)));
  EXPECT_FALSE(tools.has_ended_recently(call, at_ms(11'000)));
  EXPECT_FALSE(tools.has_ended_recently(tool_call_of(hook_of("", "pwd")), at_ms(1)));
  const HookEvent next = hook_of("t2", "ls");
  tools.start(tool_call_of(next), "task", at_ms(10));
  EXPECT_FALSE(tools.has_ended_recently(call, at_ms(20)));
}

TEST(ToolCalls, ToolsMoveToAnotherTask) {
  ToolCalls tools;
  const HookEvent first = hook_of("t1", "ls");
  const HookEvent second = hook_of("t2", "pwd");
  tools.start(tool_call_of(first), "a", at_ms(0));
  tools.start(tool_call_of(second), "a", at_ms(0));
  EXPECT_EQ(tools.move("t1", "b"), "a");
  EXPECT_TRUE(tools.has_running("a"));
  tools.move_all("a", "b");
  EXPECT_FALSE(tools.has_running("a"));
  EXPECT_EQ(tools.running_ids("b").size(), 2U);
}

TEST(ToolCalls, TheMemoryOfEndedToolsIsBounded) {
  ToolCalls tools;
  for (std::uint64_t i = 0; i < 1'000; ++i)
    tools.note_ended(i, at_ms(0));
  EXPECT_EQ(tools.ended().size(), ToolCalls::kMaxEnded);
}

}  // namespace
}  // namespace oriel
