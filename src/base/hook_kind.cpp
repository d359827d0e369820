#include "base/hook_kind.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, kHookKinds.size()> kHookNames = {
    "session-start", "session-end",  "user-prompt-submit", "stop",
    "notification",  "pre-tool-use", "post-tool-use",      "permission-request"};

constexpr std::array<std::string_view, kHookKinds.size()> kHookEventNames = {
    "SessionStart", "SessionEnd", "UserPromptSubmit", "Stop",
    "Notification", "PreToolUse", "PostToolUse",      "PermissionRequest"};

}  // namespace

std::string_view name_of(HookKind kind) {
  return name_in(kHookNames, kind);
}

std::optional<HookKind> parse_hook_kind(std::string_view name) {
  return find_name<HookKind>(kHookNames, name);
}

std::string_view event_name_of(HookKind kind) {
  return name_in(kHookEventNames, kind);
}

std::optional<HookKind> parse_hook_event_name(std::string_view name) {
  return find_name<HookKind>(kHookEventNames, name);
}

}  // namespace oriel
