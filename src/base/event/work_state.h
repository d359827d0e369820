#pragma once
// The state of an agent's work, for hosted and observed agents.

#include <optional>
#include <string_view>

namespace oriel {

enum class WorkState { kIdle, kCommanded, kProcessing, kAwaitingInput, kComplete };

std::string_view name_of(WorkState state);  // "idle", "commanded", ...
std::optional<WorkState> parse_work_state(std::string_view name);

}  // namespace oriel
