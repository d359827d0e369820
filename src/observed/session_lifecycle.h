#pragma once
// The beginning, end and status of an observed session. Pure functions of its state.

#include "observed/observed_state.h"
#include "observed/observed_step.h"

#include <string>

namespace oriel {

// Has no effect if the session exists.
void create_session(ObservedState& state, StepDraft& step);

// A session that has ended continues.
void resume_session(ObservedState& state, StepDraft& step);

// End its tasks first.
void end_session(ObservedState& state, std::string reason, StepDraft& step);

// The session ended with its last entry, as far as is known. Its tasks stay open: another piece of
// the transcript may continue them.
void close_imported_session(ObservedState& state, WallTime now);

// The state implied by its newest task.
WorkState work_state_of(const ObservedState& state);

// Publishes a change of the work state, and of the status.
void update_status(ObservedState& state, StateTrigger trigger, StepDraft& step);

}  // namespace oriel
