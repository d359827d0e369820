#include "base/event/silence.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 6> kSilenceNames = {"none", "idle",    "question",
                                                           "tool", "unknown", "gone"};

}  // namespace

std::string_view name_of(Silence silence) {
  return name_in(kSilenceNames, silence);
}

std::optional<Silence> parse_silence(std::string_view name) {
  return find_name<Silence>(kSilenceNames, name);
}

}  // namespace oriel
