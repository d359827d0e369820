#include "doors/json_body.h"

#include "core/id.h"
#include "core/quote.h"

#include <boost/json/parse.hpp>
#include <spdlog/fmt/ranges.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

}  // namespace

bool has_json_body(const Request& request) {
  const auto type = request.header("content-type");
  if (!type) return false;
  return lower_case(type->substr(0, type->find_first_of("; \t"))) == "application/json";
}

Response not_json() {
  return error_response(415, {.code = "unsupported_media_type",
                              .message = "the body must be JSON",
                              .hint = "send the header 'Content-Type: application/json'"});
}

JsonBody::JsonBody(const Request& request, std::initializer_list<std::string_view> known)
    : known_(fmt::format("{}", fmt::join(known, ", "))) {
  if (request.body.empty()) return;
  if (!has_json_body(request)) {
    refusal_ = not_json();
    return;
  }
  boost::system::error_code ec;
  const json::value value = json::parse(request.body, ec);
  if (ec) {
    refuse("the body is not JSON: " + ec.message());
    return;
  }
  if (!value.is_object()) {
    refuse("the body is not a JSON object");
    return;
  }
  object_ = value.get_object();
  for (const auto& [key, member] : object_) {
    if (std::find(known.begin(), known.end(), std::string_view(key)) == known.end())
      refuse(quote(key) + ": no such key");
  }
}

std::string JsonBody::text(std::string_view key) {
  const json::value* const value = object_.if_contains(key);
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->get_string());
  refuse(key, "must be a string");
  return {};
}

std::string JsonBody::name(std::string_view key) {
  std::string value = text(key);
  if (has(key) && !is_name(value))
    refuse(key, quote(value) + " is not a name: 1 to 128 of A-Z a-z 0-9 . _ : -");
  return value;
}

std::vector<std::string> JsonBody::texts(std::string_view key) {
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

std::string JsonBody::choice(std::string_view key,
                             std::initializer_list<std::string_view> choices) {
  std::string value = text(key);
  if (has(key) && std::find(choices.begin(), choices.end(), value) == choices.end())
    refuse(key, fmt::format("{} is not one of {}", quote(value), fmt::join(choices, ", ")));
  return value;
}

void JsonBody::refuse(std::string_view key, const std::string& problem) {
  refuse(std::string(key) + ": " + problem);
}

void JsonBody::refuse(const std::string& problem) {
  if (refusal_) return;
  refusal_ = error_response(400, {.code = "invalid_request",
                                  .message = problem,
                                  .hint = "send a JSON object with any of: " + known_});
}

}  // namespace oriel
