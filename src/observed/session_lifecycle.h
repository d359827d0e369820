#pragma once
// The beginning, end and status of an observed session. Pure functions of its state.

#include "observed/observed_state.h"
#include "observed/observed_step.h"

#include <string>
#include <string_view>

namespace oriel {

// Once: a session that exists stays as it is.
void create_session(ObservedState& state, StepDraft& step);

// A session that has ended continues.
void resume_session(ObservedState& state, StepDraft& step);

// Its tasks have been ended before.
void end_session(ObservedState& state, std::string reason, StepDraft& step);

// The session ended with its last entry, as far as is known. Its tasks stay open: another piece of
// the transcript may continue them.
void rest_imported_session(ObservedState& state, WallTime now);

// What its newest task implies.
WorkState work_state_of(const ObservedState& state);

// Publishes a change of the work state, caused by `trigger`, and of the status.
void update_status(ObservedState& state, std::string_view trigger, StepDraft& step);

}  // namespace oriel
