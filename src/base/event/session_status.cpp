#include "base/event/session_status.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kStatusNames = {"idle", "running", "failed", "completed"};

}  // namespace

std::string_view name_of(SessionStatus status) {
  return name_in(kStatusNames, status);
}

std::optional<SessionStatus> parse_session_status(std::string_view name) {
  return find_name<SessionStatus>(kStatusNames, name);
}

}  // namespace oriel
