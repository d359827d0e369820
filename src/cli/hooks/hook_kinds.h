#pragma once
// The hooks of an agent that Oriel uses. Pure.

#include <array>
#include <string_view>

namespace oriel {

struct HookNames {
  std::string_view event;  // the agent's name: "SessionStart"
  std::string_view name;   // in the URL: "session-start"
};

inline constexpr std::array<HookNames, 8> kHookKinds = {
    {{"SessionStart", "session-start"},
     {"SessionEnd", "session-end"},
     {"UserPromptSubmit", "user-prompt-submit"},
     {"Stop", "stop"},
     {"Notification", "notification"},
     {"PreToolUse", "pre-tool-use"},
     {"PostToolUse", "post-tool-use"},
     {"PermissionRequest", "permission-request"}}};

// By either name; null if unknown.
const HookNames* find_hook_kind(std::string_view word);

}  // namespace oriel
