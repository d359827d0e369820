#pragma once
// What an agent that somebody runs elsewhere tells of itself: Claude Code's hooks, in the JSON that
// it pipes to a hook's command. Pure.

#include "base/error.h"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
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

// "session-start", ...: the last part of the hook's URL.
std::string_view name_of(HookKind kind);
std::optional<HookKind> parse_hook_kind(std::string_view name);

// The same kind by Claude Code's own name, `hook_event_name`: "SessionStart", ...
std::optional<HookKind> parse_hook_event_name(std::string_view name);

// A hook as it came. Fields that its kind does not have, or that this version of the agent does not
// give, are empty.
struct HookEvent {
  HookKind kind = HookKind::kNotification;
  std::string session_id;       // the agent's own; a name (base/id.h)
  std::string transcript_path;  // as the agent says; to be checked by TranscriptRoots
  std::string cwd;
  std::string prompt_id;    // of the prompt that the agent works on, where given
  std::string subagent_id;  // not empty: a sub-agent fired it
  std::optional<std::int64_t>
      pid;                        // of the agent, where the hook's command could tell: `oriel_pid`
  std::string source;             // of session-start: startup, resume, clear, compact
  std::string reason;             // of session-end
  std::string prompt;             // of user-prompt-submit
  std::string last_text;          // of stop: the agent's last message, where given
  std::string message;            // of notification
  std::string notification_type;  // of notification: permission_prompt, idle_prompt, ...
  std::string tool_name;          // of the tool hooks and permission-request
  std::string tool_call_id;
  boost::json::value tool_input;
  boost::json::value tool_response;  // of post-tool-use
};

// The body of a hook's request. Refused, with the field's name, when it is no JSON object, has no
// session_id (or prompt, or tool_name, where its kind has it), or a field of a wrong type, or
// `hook_event_name` names another kind. Fields that are not known are fine.
Result<HookEvent> parse_hook(HookKind kind, std::string_view body);

}  // namespace oriel
