#include "observed/silence_rules.h"

namespace oriel {

bool is_notable(Silence silence) {
  return silence == Silence::kQuestion || silence == Silence::kTool || silence == Silence::kUnknown;
}

Silence silence_of(WorkState state, bool has_tool, bool is_long) {
  if (state == WorkState::kIdle || state == WorkState::kComplete) return Silence::kIdle;
  if (!is_long) return Silence::kNone;
  if (state == WorkState::kAwaitingInput) return Silence::kQuestion;
  return has_tool ? Silence::kTool : Silence::kUnknown;
}

}  // namespace oriel
