#pragma once
// The hooks of Claude Code, in the JSON that it pipes to the command of a hook. Pure.

#include "base/error.h"
#include "base/hook_kind.h"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// What a session-start reports. kOther: nothing, or a source that this version does not know.
enum class StartSource { kOther, kStartup, kResume, kClear, kCompact };

// "startup", ..., "compact".
StartSource parse_start_source(std::string_view name);

// Fields that the kind of hook or the version of the agent does not have are empty.
struct HookEvent {
  HookKind kind = HookKind::kNotification;
  std::string session_id;       // the agent's own; a name (base/id.h)
  std::string transcript_path;  // unchecked: TranscriptRoots decides
  std::string cwd;
  std::string prompt_id;            // of the prompt that the agent works on
  std::string subagent_id;          // not empty: the hook of a sub-agent
  std::optional<std::int64_t> pid;  // `oriel_pid`: the agent's, added by the hook's command
  StartSource source = StartSource::kOther;  // of session-start
  std::string reason;                        // of session-end
  std::string prompt;                        // of user-prompt-submit
  std::string last_text;                     // of stop: the agent's last message
  std::string message;                       // of notification
  std::string notification_type;             // of notification: permission_prompt, idle_prompt, ...
  std::string tool_name;                     // of the tool hooks and permission-request
  std::string tool_call_id;
  boost::json::value tool_input;
  boost::json::value tool_response;  // of post-tool-use

  bool operator==(const HookEvent&) const = default;
};

// Parses the body of a hook's request. Error: invalid_hook, if it is no JSON object, lacks
// session_id (or prompt, or tool_name, where its kind has one), has a field of the wrong type, or
// `hook_event_name` names another kind. Ignores unknown fields.
Result<HookEvent> parse_hook(HookKind kind, std::string_view text);

// A body that parse_hook() reads back, given the kind.
std::string format_hook(const HookEvent& hook);

}  // namespace oriel
