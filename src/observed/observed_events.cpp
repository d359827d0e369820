#include "observed/observed_events.h"

#include "base/text/json_text.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace oriel {

using std::chrono::milliseconds;

SessionEvent observed_event(const ObservedState& state, EventPayload payload, WallTime at) {
  return {.session_id = state.session_id,
          .project_id = state.project_id,
          .task_id = {},
          .timestamp = at,
          .payload = std::move(payload)};
}

SessionEvent session_created_event(const ObservedState& state, WallTime at) {
  return observed_event(
      state,
      event::SessionCreated{
          .agent = state.agent, .title = {}, .workspace = state.cwd, .is_observed = true},
      at);
}

SessionEvent session_ended_event(const ObservedState& state, WallTime at) {
  return observed_event(
      state, event::SessionEnded{.turns = state.turns.count, .reason = state.end_reason}, at);
}

SessionEvent session_imported_event(const ObservedState& state, WallTime at) {
  return observed_event(state,
                        event::SessionImported{.agent = state.agent,
                                               .workspace = state.cwd,
                                               .title = state.turns.title,
                                               .turns = state.turns.count,
                                               .created_at = state.created_at,
                                               .ended_at = state.ended_at.value_or(at)},
                        at);
}

SessionEvent silence_event(const ObservedState& state, WallTime now) {
  event::AgentSilence silence{
      .kind = state.silence, .since = state.active_at, .tool_name = {}, .tool_call_id = {}};
  if (state.silence == Silence::kTool) {
    const ObservedTool& tool = state.tools.running().back();
    silence.since = tool.since;
    silence.tool_name = tool.tool_name;
    silence.tool_call_id = tool.tool_call_id;
  }
  return observed_event(state, std::move(silence), now);
}

SessionEvent tool_call_event(const ObservedState& state, const ToolCall& call,
                             const ObservedTask& task, WallTime at) {
  SessionEvent event = observed_event(
      state, event::ToolCall{.id = call.id, .name = call.name, .input = json_text(call.input)}, at);
  event.task_id = task.task_id;
  return event;
}

SessionEvent tool_result_event(const ObservedState& state, const ObservedTool& tool,
                               const ToolOutcome& outcome, WallTime at) {
  SessionEvent event =
      observed_event(state,
                     event::ToolResult{.id = tool.tool_call_id,
                                       .name = tool.tool_name,
                                       .is_ok = outcome.is_ok,
                                       .output = outcome.output,
                                       .duration = std::max(at - tool.since, milliseconds(0))},
                     at);
  event.task_id = tool.task_id;
  return event;
}

}  // namespace oriel
