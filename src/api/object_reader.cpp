#include "api/object_reader.h"

#include "base/id.h"
#include "base/text/json_text.h"
#include "base/text/quote.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/ranges.h>

#include <algorithm>

namespace oriel {

namespace json = boost::json;

ObjectReader::ObjectReader(json::object object, std::initializer_list<std::string_view> known)
    : object_(std::move(object)), known_(fmt::format("{}", fmt::join(known, ", "))) {
  for (const auto& [key, member] : object_) {
    if (std::find(known.begin(), known.end(), std::string_view(key)) == known.end())
      refuse(quote(key) + ": unknown key");
  }
}

std::string ObjectReader::text(std::string_view key) {
  const json::value* const value = object_.if_contains(key);
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->get_string());
  refuse(key, "must be a string");
  return {};
}

std::string ObjectReader::name(std::string_view key) {
  std::string value = text(key);
  if (has(key) && !is_name(value))
    refuse(key, quote(value) + " is not a name: 1 to 128 of A-Z a-z 0-9 . _ : -");
  return value;
}

std::string ObjectReader::path(std::string_view key) {
  std::string value = text(key);
  refuse_nul(key, value);
  return value;
}

std::vector<std::string> ObjectReader::texts(std::string_view key) {
  const json::value* const value = object_.if_contains(key);
  std::vector<std::string> list;
  if (value == nullptr) return list;
  if (!value->is_array()) {
    refuse(key, "must be a list of strings");
    return list;
  }
  for (const json::value& item : value->get_array()) {
    if (!item.is_string()) {
      refuse(key, "must be a list of strings");
      return {};
    }
    list.emplace_back(item.get_string());
  }
  return list;
}

std::vector<std::string> ObjectReader::paths(std::string_view key) {
  std::vector<std::string> list = texts(key);
  for (const std::string& item : list)
    refuse_nul(key, item);
  return list;
}

// The system ends a path at a NUL, so that a check and a later use could mean different files.
void ObjectReader::refuse_nul(std::string_view key, const std::string& path) {
  if (path.find('\0') != path.npos) refuse(key, quote(path) + " has a NUL character");
}

std::vector<std::string> ObjectReader::names(std::string_view key) {
  std::vector<std::string> list = texts(key);
  for (const std::string& item : list) {
    if (!is_name(item)) refuse(key, quote(item) + " is not a name");
  }
  return list;
}

std::string ObjectReader::choice(std::string_view key,
                                 std::initializer_list<std::string_view> choices) {
  return choice(key, std::span(choices.begin(), choices.size()));
}

std::string ObjectReader::choice(std::string_view key, std::span<const std::string_view> choices) {
  std::string value = text(key);
  if (has(key) && std::find(choices.begin(), choices.end(), value) == choices.end())
    refuse(key, fmt::format("{} is not one of {}", quote(value), fmt::join(choices, ", ")));
  return value;
}

std::optional<bool> ObjectReader::flag(std::string_view key) {
  const json::value* const value = object_.if_contains(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_bool()) return value->get_bool();
  refuse(key, "must be true or false");
  return std::nullopt;
}

std::int64_t ObjectReader::number(std::string_view key, std::int64_t otherwise, std::int64_t min,
                                  std::int64_t max) {
  const json::value* const value = object_.if_contains(key);
  if (value == nullptr) return otherwise;
  boost::system::error_code ec;
  const auto number = value->to_number<std::int64_t>(ec);
  if (!ec && number >= min && number <= max) return number;
  refuse(key,
         fmt::format("{} is not a whole number from {} to {}", quote(json_text(*value)), min, max));
  return otherwise;
}

void ObjectReader::refuse(std::string_view key, const std::string& problem) {
  refuse(std::string(key) + ": " + problem);
}

void ObjectReader::refuse(const std::string& problem) {
  if (error_) return;
  error_ = Error{.kind = ErrorKind::kInvalidRequest,
                 .message = problem,
                 .hint = "send a JSON object with any of: " + known_};
}

}  // namespace oriel
