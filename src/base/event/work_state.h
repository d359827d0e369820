#pragma once
// The state of an agent's work, for hosted and observed agents, and what changes it.

#include <optional>
#include <string_view>

namespace oriel {

enum class WorkState { kIdle, kCommanded, kProcessing, kAwaitingInput, kComplete };

std::string_view name_of(WorkState state);  // "idle", "commanded", ...
std::optional<WorkState> parse_work_state(std::string_view name);

// What caused a change of the state. docs/turns.md explains each.
enum class StateTrigger {
  kMessage,
  kAgent,
  kWork,
  kPermission,
  kAnswer,
  kCompletion,
  kCancel,
  kFailure,
  kRestart,
  kEnd,
  kPrompt,
  kQuestion,
  kInterrupt,
  kTaskEnd,
  kReconciliation,
  kSessionEnd,
  kSessionStartHook,
  kUserPromptSubmitHook,
  kPreToolUseHook,
  kPostToolUseHook,
  kPermissionRequestHook,
  kNotificationHook,
  kStopHook,
};

// "message", ...; for hooks the name of the hook: "session-start", ...
std::string_view name_of(StateTrigger trigger);
std::optional<StateTrigger> parse_state_trigger(std::string_view name);

}  // namespace oriel
