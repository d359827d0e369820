#include "base/work_state.h"

#include <array>
#include <cstddef>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 5> kStates = {"idle", "commanded", "processing",
                                                     "awaiting_input", "complete"};

}  // namespace

std::string_view name_of(WorkState state) {
  return kStates[static_cast<std::size_t>(state)];
}

std::optional<WorkState> parse_work_state(std::string_view name) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == name) return static_cast<WorkState>(i);
  }
  return std::nullopt;
}

}  // namespace oriel
