#include "base/json_fields.h"

#include <boost/json/parse.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

const json::array& list_at(const json::object& object, std::string_view key) {
  static const json::array kEmpty;
  const auto* const value = object.if_contains(key);
  const auto* const list = value == nullptr ? nullptr : value->if_array();
  return list == nullptr ? kEmpty : *list;
}

}  // namespace

json::object parse_object(std::string_view text) {
  json::error_code problem;
  json::value value = json::parse(text, problem);
  if (problem || !value.is_object()) return {};
  return std::move(value.get_object());
}

std::string text_at(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  const auto* const text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<std::int64_t> number_at(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  json::error_code problem;
  const auto number = value->to_number<std::int64_t>(problem);
  if (problem) return std::nullopt;
  return number;
}

bool is_true_at(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

json::object object_at(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  const auto* const inner = value == nullptr ? nullptr : value->if_object();
  return inner == nullptr ? json::object() : *inner;
}

std::vector<json::object> objects_at(const json::object& object, std::string_view key) {
  std::vector<json::object> objects;
  for (const json::value& value : list_at(object, key)) {
    if (value.is_object()) objects.push_back(value.get_object());
  }
  return objects;
}

std::vector<std::string> texts_at(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const json::value& value : list_at(object, key)) {
    if (value.is_string()) texts.emplace_back(value.get_string());
  }
  return texts;
}

}  // namespace oriel
