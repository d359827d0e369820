#include "base/agent_event.h"

#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kOptionKinds = {"allow_once", "allow_always",
                                                          "reject_once", "reject_always"};

}  // namespace

std::string_view name_of(OptionKind kind) {
  return kOptionKinds[static_cast<std::size_t>(kind)];
}

std::optional<OptionKind> parse_option_kind(std::string_view name) {
  for (std::size_t i = 0; i < kOptionKinds.size(); ++i) {
    if (kOptionKinds[i] == name) return static_cast<OptionKind>(i);
  }
  return std::nullopt;
}

}  // namespace oriel
