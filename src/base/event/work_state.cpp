#include "base/event/work_state.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 5> kStates = {"idle", "commanded", "processing",
                                                     "awaiting_input", "complete"};

constexpr std::array<std::string_view, 23> kTriggers = {
    "message",      "agent",         "work",
    "permission",   "answer",        "completion",
    "cancel",       "failure",       "restart",
    "end",          "prompt",        "question",
    "interrupt",    "task_end",      "reconciliation",
    "session_end",  "session-start", "user-prompt-submit",
    "pre-tool-use", "post-tool-use", "permission-request",
    "notification", "stop"};

}  // namespace

std::string_view name_of(WorkState state) {
  return name_in(kStates, state);
}

std::optional<WorkState> parse_work_state(std::string_view name) {
  return find_name<WorkState>(kStates, name);
}

std::string_view name_of(StateTrigger trigger) {
  return name_in(kTriggers, trigger);
}

std::optional<StateTrigger> parse_state_trigger(std::string_view name) {
  return find_name<StateTrigger>(kTriggers, name);
}

}  // namespace oriel
