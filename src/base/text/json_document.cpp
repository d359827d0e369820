#include "base/text/json_document.h"

#include <boost/json/value_to.hpp>

#include <stdexcept>

namespace oriel {

namespace json = boost::json;

namespace {

std::string string_in(const json::value& value) {
  const json::string& text = value.as_string();
  return {text.data(), text.size()};
}

}  // namespace

std::string DocumentFields::text(std::string_view key) const {
  return string_in(at(key));
}

std::vector<std::string> DocumentFields::texts(std::string_view key) const {
  return json::value_to<std::vector<std::string>>(at(key));
}

WallTime DocumentFields::time(std::string_view key) const {
  const auto time = wall_time(at(key).to_number<std::int64_t>());
  if (!time) throw std::out_of_range("a time beyond the calendar");
  return *time;
}

std::optional<WallTime> DocumentFields::time_or_none(std::string_view key) const {
  if (at(key).is_null()) return std::nullopt;
  return time(key);
}

std::string DocumentFields::text_if_any(std::string_view key) const {
  const json::value* const found = object_.if_contains(key);
  return found ? string_in(*found) : std::string();
}

const json::array& DocumentFields::array_if_any(std::string_view key) const {
  static const json::array kNone;
  const json::value* const found = object_.if_contains(key);
  return found ? found->as_array() : kNone;
}

}  // namespace oriel
