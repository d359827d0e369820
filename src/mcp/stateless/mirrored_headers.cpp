#include "mcp/stateless/mirrored_headers.h"

#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/quote.h"

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kWordsBegin = "=?base64?";
constexpr std::string_view kWordsEnd = "?=";
constexpr std::int64_t kMaxInteger = (std::int64_t{1} << 53) - 1;

Refusal mismatch(std::string_view header, const std::string& problem) {
  return {.error = {.code = kHeaderMismatch,
                    .message = "the header " + std::string(header) + " " + problem,
                    .data = nullptr}};
}

bool is_printable(char c) {
  return (c >= ' ' && c <= '~') || c == '\t';
}

// The decoded header, or none if absent.
using Said = boost::system::result<std::optional<std::string>, Refusal>;

Said read_header(const http::Request& http, std::string_view name, HeaderCoding coding) {
  const std::string key = lower_case(name);
  const auto is_it = [&key](const auto& header) { return header.first == key; };
  const auto found = std::find_if(http.headers.begin(), http.headers.end(), is_it);
  if (found == http.headers.end()) return Said(std::nullopt);
  if (std::find_if(found + 1, http.headers.end(), is_it) != http.headers.end()) {
    return mismatch(name, "appears more than once: send it once");
  }
  if (coding == HeaderCoding::kPlain) return Said(std::string(stripped(found->second)));
  std::optional<std::string> words = header_words(found->second);
  if (!words) {
    return mismatch(name, "is " + quote(found->second) +
                              ": send plain ASCII, or =?base64?...?= with padded Base64");
  }
  return Said(std::move(words));
}

// A decimal integer within double precision; trailing zero decimals are allowed.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool is_whole = rest.empty() || (rest.size() > 1 && rest[0] == '.' &&
                                         rest.find_first_not_of('0', 1) == rest.npos);
  if (!is_whole || number > kMaxInteger || number < -kMaxInteger) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer_of(const json::value& value) {
  if (const double* number = value.if_double()) {
    const bool is_whole = std::trunc(*number) == *number;
    if (!is_whole || std::abs(*number) > static_cast<double>(kMaxInteger)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  if (const std::uint64_t* number = value.if_uint64()) {
    if (*number > static_cast<std::uint64_t>(kMaxInteger)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  const std::int64_t* number = value.if_int64();
  if (number == nullptr || *number > kMaxInteger || *number < -kMaxInteger) return std::nullopt;
  return *number;
}

bool says(std::string_view words, const json::value& value) {
  if (const json::string* text = value.if_string()) return words == std::string_view(*text);
  if (const bool* flag = value.if_bool()) return words == (*flag ? "true" : "false");
  const std::optional<std::int64_t> number = integer_of(value);
  return number && number == parse_integer(words);
}

// The value at this key; null if absent or JSON null.
const json::value* find_value(const json::object* object, std::string_view key) {
  const json::value* value = object == nullptr ? nullptr : object->if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

// The name in x-mcp-header where the specification allows it; else none.
const json::string* header_of(const json::object& schema) {
  const json::value* type = schema.if_contains("type");
  const json::value* header = schema.if_contains("x-mcp-header");
  if (type == nullptr || header == nullptr) return nullptr;
  if (*type != "string" && *type != "integer" && *type != "boolean") return nullptr;
  return header->if_string();
}

std::optional<Refusal> check_argument(const http::Request& http, const std::string& header,
                                      std::string_view property, const json::value* argument) {
  if (argument == nullptr) return check_no_header(http, header);
  const Said said = read_header(http, header, HeaderCoding::kWords);
  if (!said) return said.error();
  if (!*said) {
    return mismatch(header, "is missing: the argument " + quote(property) +
                                " is to be repeated there; tools/list shows which are");
  }
  if (says(**said, *argument)) return std::nullopt;
  return mismatch(header, "is " + quote(**said) + " but the argument " + quote(property) +
                              " is not: send both alike");
}

std::optional<Refusal> check_properties(const http::Request& http, const json::object& schema,
                                        const json::object* arguments) {
  const json::value* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return std::nullopt;
  for (const auto& [key, value] : properties->get_object()) {
    const json::object* property = value.if_object();
    if (property == nullptr) continue;
    const json::value* argument = find_value(arguments, key);
    std::optional<Refusal> refusal;
    if (const json::string* name = header_of(*property)) {
      const std::string header = "Mcp-Param-" + std::string(std::string_view(*name));
      refusal = check_argument(http, header, key, argument);
    } else {
      refusal =
          check_properties(http, *property, argument == nullptr ? nullptr : argument->if_object());
    }
    if (refusal) return refusal;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> header_words(std::string_view value) {
  value = stripped(value);
  if (!std::all_of(value.begin(), value.end(), is_printable)) return std::nullopt;
  const bool is_base64 = value.size() >= kWordsBegin.size() + kWordsEnd.size() &&
                         value.starts_with(kWordsBegin) && value.ends_with(kWordsEnd);
  if (!is_base64) return std::string(value);
  value.remove_prefix(kWordsBegin.size());
  value.remove_suffix(kWordsEnd.size());
  return from_base64(value);
}

std::string header_value(std::string_view words) {
  if (!words.empty() && header_words(words) == words) return std::string(words);
  return std::string(kWordsBegin) + base64(words) + std::string(kWordsEnd);
}

std::optional<Refusal> check_header(const http::Request& http, std::string_view name,
                                    HeaderCoding coding, std::string_view value) {
  const Said said = read_header(http, name, coding);
  if (!said) return said.error();
  if (!*said) {
    return mismatch(name, "is missing: send " + quote(value) + " there, as the body says");
  }
  if (**said == value) return std::nullopt;
  return mismatch(
      name, "is " + quote(**said) + " but the body says " + quote(value) + ": send both alike");
}

std::optional<Refusal> check_no_header(const http::Request& http, std::string_view name) {
  if (!http.header(lower_case(name))) return std::nullopt;
  return mismatch(name, "has nothing in the body to repeat: leave it out");
}

std::optional<Refusal> check_param_headers(const http::Request& http, const json::object& schema,
                                           const json::object& arguments) {
  return check_properties(http, schema, &arguments);
}

}  // namespace oriel::mcp
