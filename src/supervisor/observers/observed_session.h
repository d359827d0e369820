#pragma once
// An observed agent as doors show every session. Pure.

#include "observed/observed_state.h"
#include "session/session_state.h"

namespace oriel {

SessionState session_of(const ObservedState& observed);

}  // namespace oriel
