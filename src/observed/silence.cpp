#include "observed/silence.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 6> kSilenceNames = {"none", "at_rest", "question",
                                                           "tool", "unknown", "gone"};

}  // namespace

std::string_view name_of(Silence silence) {
  return kSilenceNames[static_cast<std::size_t>(silence)];
}

std::optional<Silence> parse_silence(std::string_view name) {
  const auto found = std::find(kSilenceNames.begin(), kSilenceNames.end(), name);
  if (found == kSilenceNames.end()) return std::nullopt;
  return static_cast<Silence>(found - kSilenceNames.begin());
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
