#include "observed/silence.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"none", "at_rest", "question",
                                                    "tool", "unknown", "gone"};

}  // namespace

std::string_view name_of(Silence silence) {
  return kNames[static_cast<std::size_t>(silence)];
}

std::optional<Silence> parse_silence(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Silence>(found - kNames.begin());
}

bool is_notable(Silence silence) {
  return silence == Silence::kQuestion || silence == Silence::kTool || silence == Silence::kUnknown;
}

Silence silence_of(WorkState state, bool has_tool, bool is_long) {
  if (state == WorkState::kIdle || state == WorkState::kComplete) return Silence::kAtRest;
  if (!is_long) return Silence::kNone;
  if (state == WorkState::kAwaitingInput) return Silence::kQuestion;
  return has_tool ? Silence::kTool : Silence::kUnknown;
}

}  // namespace oriel
