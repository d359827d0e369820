#pragma once
// The session state of an observed agent, as of a hosted one. Pure.

#include "observed/observed_state.h"
#include "session/session_state.h"

namespace oriel {

SessionState session_of(const ObservedState& observed);

}  // namespace oriel
