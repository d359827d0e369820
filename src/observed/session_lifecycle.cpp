#include "observed/session_lifecycle.h"

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
  step.publish(observed_event(state, event::SessionResumed{}, step.at));
}

void end_session(ObservedState& state, std::string reason, StepDraft& step) {
  state.ended_at = step.at;
  state.end_reason = std::move(reason);
  update_status(state, StateTrigger::kSessionEnd, step);
  step.publish(session_ended_event(state, step.at));
}

void close_imported_session(ObservedState& state, WallTime now) {
  const WallTime last = state.transcript.last_entry_at.value_or(now);
  state.ended_at = last;
  state.end_reason = "imported";
  state.active_at = last;
  state.updated_at = last;
  state.state = WorkState::kComplete;
  state.status = SessionStatus::kCompleted;
  state.silence = Silence::kIdle;
}

WorkState work_state_of(const ObservedState& state) {
  const ObservedTask* const task = state.tasks.current();
  if (state.ended_at) return WorkState::kComplete;
  if (!task) return WorkState::kIdle;
  if (task->done_at) return WorkState::kComplete;
  if (task->asked_at || state.questions.has_any(task->task_id)) return WorkState::kAwaitingInput;
  return task->has_work ? WorkState::kProcessing : WorkState::kCommanded;
}

void update_status(ObservedState& state, StateTrigger trigger, StepDraft& step) {
  const WorkState now = work_state_of(state);
  if (now != state.state) {
    const ObservedTask* const task = state.tasks.current();
    const WorkState before = std::exchange(state.state, now);
    SessionEvent event = observed_event(
        state, event::StateTransition{.from = before, .to = now, .trigger = trigger}, step.at);
    if (task) event.task_id = task->task_id;
    step.publish(std::move(event));
  }
  const bool works = now == WorkState::kProcessing || now == WorkState::kAwaitingInput;
  SessionStatus status = works ? SessionStatus::kRunning : SessionStatus::kIdle;
  if (state.ended_at) status = SessionStatus::kCompleted;
  if (status == state.status) return;
  state.status = status;
  step.publish(
      observed_event(state, event::StatusChanged{.status = status, .reason = {}}, step.at));
}

}  // namespace oriel
