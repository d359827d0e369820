#include "base/hook_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace oriel {
namespace {

TEST(R_TURN_6, EveryHookHasAUrlAndAClaudeCodeName) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"session-start", "SessionStart"},          {"session-end", "SessionEnd"},
      {"user-prompt-submit", "UserPromptSubmit"}, {"stop", "Stop"},
      {"notification", "Notification"},           {"pre-tool-use", "PreToolUse"},
      {"post-tool-use", "PostToolUse"},           {"permission-request", "PermissionRequest"}};
  ASSERT_EQ(names.size(), kHookKinds.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(name_of(kHookKinds[i]), names[i].first);
    EXPECT_EQ(event_name_of(kHookKinds[i]), names[i].second);
    EXPECT_EQ(parse_hook_kind(names[i].first), kHookKinds[i]);
    EXPECT_EQ(parse_hook_event_name(names[i].second), kHookKinds[i]);
  }
  for (const char* word : {"", "pre-compact", "PreCompact", "pretooluse", "stop ", "Stop"})
    EXPECT_EQ(parse_hook_kind(word), std::nullopt) << word;
  for (const char* word : {"", "pre-compact", "PreCompact", "pretooluse", "stop", "Stop "})
    EXPECT_EQ(parse_hook_event_name(word), std::nullopt) << word;
}

}  // namespace
}  // namespace oriel
