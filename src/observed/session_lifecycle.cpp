#include "observed/session_lifecycle.h"

#include "base/turn_event.h"
#include "observed/observed_events.h"

#include <utility>

namespace oriel {

void create_session(ObservedState& state, StepDraft& step) {
  if (state.is_created) return;
  state.is_created = true;
  state.is_imported = step.is_import;
  state.created_at = step.at;
  step.publish(session_created_event(state, step.at));
}

void resume_session(ObservedState& state, StepDraft& step) {
  if (!state.ended_at) return;
  state.ended_at.reset();
  state.end_reason.clear();
  step.publish(session_resumed_event(state, step.at));
}

void end_session(ObservedState& state, std::string reason, StepDraft& step) {
  state.ended_at = step.at;
  state.end_reason = std::move(reason);
  update_status(state, "session_end", step);
  step.publish(session_ended_event(state, step.at));
}

void rest_imported_session(ObservedState& state, WallTime now) {
  const WallTime last = state.transcript.last_entry_at.value_or(now);
  state.ended_at = last;
  state.end_reason = "imported";
  state.active_at = last;
  state.updated_at = last;
  state.state = WorkState::kComplete;
  state.status = "completed";
  state.silence = Silence::kAtRest;
}

WorkState work_state_of(const ObservedState& state) {
  const ObservedTask* const task = state.tasks.current();
  if (state.ended_at) return WorkState::kComplete;
  if (!task) return WorkState::kIdle;
  if (task->done_at) return WorkState::kComplete;
  if (task->asked_at || state.questions.has_any(task->task_id)) return WorkState::kAwaitingInput;
  return task->has_work ? WorkState::kProcessing : WorkState::kCommanded;
}

void update_status(ObservedState& state, std::string_view trigger, StepDraft& step) {
  const WorkState now = work_state_of(state);
  if (now != state.state) {
    const ObservedTask* const task = state.tasks.current();
    const WorkState before = std::exchange(state.state, now);
    step.publish(state_transition_event({.session_id = state.session_id,
                                         .project_id = state.project_id,
                                         .task_id = task ? task->task_id : "",
                                         .from = before,
                                         .to = now,
                                         .trigger = std::string(trigger)},
                                        step.at));
  }
  const bool works = now == WorkState::kProcessing || now == WorkState::kAwaitingInput;
  const std::string status = state.ended_at ? "completed" : works ? "running" : "idle";
  if (status == state.status) return;
  state.status = status;
  step.publish(status_event(state, step.at));
}

}  // namespace oriel
