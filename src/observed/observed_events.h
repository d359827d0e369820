#pragma once
// The events of an observed session, besides those about its turns (base/event/turn_event.h). Pure.

#include "base/event/session_event.h"
#include "observed/observed_state.h"

#include <string>

namespace oriel {

// An event of the session that belongs to no task.
SessionEvent observed_event(const ObservedState& state, EventPayload payload, WallTime at);

SessionEvent session_created_event(const ObservedState& state, WallTime at);
SessionEvent session_ended_event(const ObservedState& state, WallTime at);
SessionEvent session_imported_event(const ObservedState& state, WallTime at);

// Of a notable silence (observed/silence_rules.h).
SessionEvent silence_event(const ObservedState& state, WallTime now);

SessionEvent tool_call_event(const ObservedState& state, const ToolCall& call,
                             const ObservedTask& task, WallTime at);

struct ToolOutcome {
  bool is_ok = true;
  std::string output;
};

SessionEvent tool_result_event(const ObservedState& state, const ObservedTool& tool,
                               const ToolOutcome& outcome, WallTime at);

}  // namespace oriel
