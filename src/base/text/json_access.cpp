#include "base/text/json_access.h"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace oriel {

namespace json = boost::json;

json::object parse_object(std::string_view text) {
  json::parse_options options;
  options.max_depth = 160;  // inputs of tools are nested
  json::error_code problem;
  json::value value = json::parse(text, problem, {}, options);
  if (problem || !value.is_object()) return {};
  return std::move(value.get_object());
}

const json::value& member(const json::object& from, std::string_view key) {
  static const json::value kNull;
  const json::value* const found = from.if_contains(key);
  return found == nullptr ? kNull : *found;
}

const json::value& member(const json::value& from, std::string_view key) {
  return member(object_of(from), key);
}

std::string_view text_of(const json::value& value) {
  const json::string* const text = value.if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

const json::object& object_of(const json::value& value) {
  static const json::object kEmpty;
  const json::object* const object = value.if_object();
  return object == nullptr ? kEmpty : *object;
}

const json::array& elements_of(const json::value& value) {
  static const json::array kEmpty;
  const json::array* const elements = value.if_array();
  return elements == nullptr ? kEmpty : *elements;
}

std::optional<std::int64_t> number_of(const json::value& value) {
  if (!value.is_number()) return std::nullopt;
  json::error_code problem;
  const auto number = value.to_number<std::int64_t>(problem);
  if (problem) return std::nullopt;
  return number;
}

bool is_true(const json::value& value) {
  return value.is_bool() && value.get_bool();
}

std::vector<json::object> objects_of(const json::value& value) {
  std::vector<json::object> objects;
  for (const json::value& element : elements_of(value)) {
    if (element.is_object()) objects.push_back(element.get_object());
  }
  return objects;
}

json::object rest_of(const json::value& from, std::initializer_list<std::string_view> names) {
  json::object rest;
  for (const auto& [key, value] : object_of(from)) {
    const bool is_named = std::ranges::find(names, std::string_view(key)) != names.end();
    if (!value.is_null() && !is_named) rest[key] = value;
  }
  return rest;
}

}  // namespace oriel
