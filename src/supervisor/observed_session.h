#pragma once
// An observed agent as doors show every session. Pure.

#include "session/session_state.h"
#include "turn/observed_state.h"

namespace oriel {

SessionState session_of(const ObservedState& observed);

}  // namespace oriel
