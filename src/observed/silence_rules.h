#pragma once
// Interprets the silence of an observed agent. Pure.

#include "base/event/silence.h"
#include "base/event/work_state.h"

namespace oriel {

// Whether a person should be notified.
bool is_notable(Silence silence);

// For an agent whose process may still run. `is_long`: nothing has arrived for longer than usual
// for a working agent.
Silence silence_of(WorkState state, bool has_tool, bool is_long);

}  // namespace oriel
