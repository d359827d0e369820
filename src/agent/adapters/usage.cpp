#include "agent/adapters/usage.h"

#include "base/text/json_access.h"

namespace oriel {

Usage usage_of(
    const boost::json::value& from,
    std::initializer_list<std::pair<std::string_view, std::optional<std::int64_t> Usage::*>>
        names) {
  Usage usage;
  for (const auto& [theirs, ours] : names)
    usage.*ours = number_of(member(from, theirs));
  return usage;
}

}  // namespace oriel
