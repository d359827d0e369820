#pragma once
// The events of an observed session, besides those of its turns (base/turn_event.h). Pure.

#include "base/session_event.h"
#include "observed/observed_state.h"

#include <string>

namespace oriel {

SessionEvent session_created_event(const ObservedState& state, WallTime at);
SessionEvent session_resumed_event(const ObservedState& state, WallTime at);
SessionEvent session_ended_event(const ObservedState& state, WallTime at);
SessionEvent session_imported_event(const ObservedState& state, WallTime at);
SessionEvent status_event(const ObservedState& state, WallTime at);
SessionEvent compaction_event(const ObservedState& state, WallTime at);

// Of a notable silence (observed/silence.h).
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
