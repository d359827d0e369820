#pragma once
// The hooks of Claude Code, in the JSON that it pipes to the command of a hook. Pure.

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

// "session-start", ...: the last segment of the hook's URL.
std::string_view name_of(HookKind kind);
std::optional<HookKind> parse_hook_kind(std::string_view name);

// By Claude Code's own name in `hook_event_name`: "SessionStart", ...
std::optional<HookKind> parse_hook_event_name(std::string_view name);

// Fields that the kind of hook or the version of the agent does not have are empty.
struct HookEvent {
  HookKind kind = HookKind::kNotification;
  std::string session_id;       // the agent's own; a name (base/id.h)
  std::string transcript_path;  // unchecked: TranscriptRoots decides
  std::string cwd;
  std::string prompt_id;            // of the prompt that the agent works on
  std::string subagent_id;          // not empty: the hook of a sub-agent
  std::optional<std::int64_t> pid;  // `oriel_pid`: the agent's, added by the hook's command
  std::string source;               // of session-start: startup, resume, clear, compact
  std::string reason;               // of session-end
  std::string prompt;               // of user-prompt-submit
  std::string last_text;            // of stop: the agent's last message
  std::string message;              // of notification
  std::string notification_type;    // of notification: permission_prompt, idle_prompt, ...
  std::string tool_name;            // of the tool hooks and permission-request
  std::string tool_call_id;
  boost::json::value tool_input;
  boost::json::value tool_response;  // of post-tool-use
};

// Parses the body of a hook's request. Error: invalid_hook, if it is no JSON object, lacks
// session_id (or prompt, or tool_name, where its kind has one), has a field of the wrong type, or
// `hook_event_name` names another kind. Ignores unknown fields.
Result<HookEvent> parse_hook(HookKind kind, std::string_view text);

}  // namespace oriel
