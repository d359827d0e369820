#pragma once
// The moments of an agent's life that Oriel hears about from the agent itself. Pure.

#include <array>
#include <string_view>

namespace oriel {

struct HookNames {
  std::string_view event;  // as the agent calls it: "SessionStart"
  std::string_view name;   // as Oriel's address does: "session-start"
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

// By either name; none: it is not one of ours.
const HookNames* find_hook_kind(std::string_view word);

}  // namespace oriel
