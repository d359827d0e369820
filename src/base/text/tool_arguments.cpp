#include "base/text/tool_arguments.h"

#include "base/text/json_text.h"

#include <boost/json/parse.hpp>

#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

// By usefulness; the first one present is shown.
constexpr std::array kKeysByUsefulness = {"command",   "cmd",     "file_path",  "path",
                                          "filePath",  "pattern", "query",      "url",
                                          "directory", "prompt",  "description"};

std::string one_text(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (!value.is_array()) return json_text(value);
  std::string words;
  for (const json::value& word : value.get_array())
    words += (words.empty() ? "" : " ") + one_text(word);
  return words;
}

}  // namespace

std::string short_arguments(std::string_view arguments) {
  json::error_code not_json;
  const json::value value = json::parse(arguments, not_json);
  if (not_json) return std::string(arguments.substr(0, arguments.find('\n')));
  const auto* const object = value.if_object();
  if (object == nullptr) return value.is_null() ? "" : one_text(value);
  for (const char* const key : kKeysByUsefulness) {
    if (const auto* const argument = object->if_contains(key)) return one_text(*argument);
  }
  return object->empty() ? "" : json_text(value);
}

}  // namespace oriel
