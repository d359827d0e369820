#pragma once
// The hooks of Claude Code that Oriel uses.

#include <array>
#include <optional>
#include <string_view>

namespace oriel {

enum class HookKind {
  kSessionStart,
  kSessionEnd,
  kUserPromptSubmit,
  kStop,
  kNotification,
  kPreToolUse,
  kPostToolUse,
  kPermissionRequest,
};

inline constexpr std::array kHookKinds = {
    HookKind::kSessionStart, HookKind::kSessionEnd,       HookKind::kUserPromptSubmit,
    HookKind::kStop,         HookKind::kNotification,     HookKind::kPreToolUse,
    HookKind::kPostToolUse,  HookKind::kPermissionRequest};

// "session-start", ...: the last segment of the hook's URL.
std::string_view name_of(HookKind kind);
std::optional<HookKind> parse_hook_kind(std::string_view name);

// Claude Code's own name, in its settings and in `hook_event_name`: "SessionStart", ...
std::string_view event_name_of(HookKind kind);
std::optional<HookKind> parse_hook_event_name(std::string_view name);

}  // namespace oriel
