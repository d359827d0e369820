#include "base/text/json_document.h"

#include <stdexcept>

namespace oriel {

namespace json = boost::json;

std::string string_in(const json::value& value) {
  const json::string& text = value.as_string();
  return {text.data(), text.size()};
}

WallTime time_in(const json::value& value) {
  const auto time = wall_time(value.to_number<std::int64_t>());
  if (!time) throw std::out_of_range("a time beyond the calendar");
  return *time;
}

std::string string_at(const json::object& object, std::string_view key) {
  return string_in(object.at(key));
}

WallTime time_at(const json::object& object, std::string_view key) {
  return time_in(object.at(key));
}

}  // namespace oriel
