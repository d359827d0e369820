#include "agent/adapters/usage.h"

#include "base/text/json_line.h"

#include <cstdint>

namespace oriel {

namespace json = boost::json;

json::object usage_of(const json::value& from,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> names) {
  json::object usage;
  for (const auto& [theirs, ours] : names) {
    const json::value& value = member(from, theirs);
    if (value.is_number()) usage[ours] = value;
  }
  return usage;
}

json::object usage_since(const json::object& before, const json::object& total) {
  json::object usage;
  for (const auto& [name, value] : total) {
    const json::value* earlier = before.if_contains(name);
    if (!value.is_int64()) continue;
    // Unsigned arithmetic, which cannot overflow into undefined behaviour.
    const auto count = static_cast<std::uint64_t>(value.get_int64());
    const auto base =
        static_cast<std::uint64_t>(earlier && earlier->is_int64() ? earlier->get_int64() : 0);
    usage[name] = static_cast<std::int64_t>(count - base);
  }
  return usage;
}

}  // namespace oriel
