#include "base/event/work_state.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 5> kStates = {"idle", "commanded", "processing",
                                                     "awaiting_input", "complete"};

}  // namespace

std::string_view name_of(WorkState state) {
  return name_in(kStates, state);
}

std::optional<WorkState> parse_work_state(std::string_view name) {
  return find_name<WorkState>(kStates, name);
}

}  // namespace oriel
