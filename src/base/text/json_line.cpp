#include "base/text/json_line.h"

#include "base/text/json_text.h"
#include "base/text/utf8.h"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 128;

std::optional<json::value> parsed_object(std::string_view text, const json::storage_ptr& memory) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text, error, memory, options);
  if (error || !value.is_object()) return std::nullopt;
  return value;
}

// The value of an escape such as \ud83d at the start of `text`; 0 when there is none.
unsigned escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return 0;
  unsigned unit = 0;
  for (const char digit : text.substr(2, 4)) {
    unit *= 16;
    if (digit >= '0' && digit <= '9')
      unit += static_cast<unsigned>(digit - '0');
    else if (digit >= 'a' && digit <= 'f')
      unit += static_cast<unsigned>(digit - 'a') + 10;
    else if (digit >= 'A' && digit <= 'F')
      unit += static_cast<unsigned>(digit - 'A') + 10;
    else
      return 0;
  }
  return unit;
}

bool is_leading(unsigned unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_trailing(unsigned unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// What a backslash begins: how long it is, and whether it is half of a pair.
struct Escape {
  std::size_t length = 1;
  bool is_half = false;
};

Escape next_escape(std::string_view text) {
  const unsigned unit = escaped_unit(text);
  if (is_leading(unit) && is_trailing(escaped_unit(text.substr(6)))) return {.length = 12};
  if (is_leading(unit) || is_trailing(unit)) return {.length = 6, .is_half = true};
  if (text.size() > 1) return {.length = 2};  // also a backslash, which begins nothing
  return {};
}

std::string without_halves(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Escape escape = next_escape(text);
    out += escape.is_half ? "\xEF\xBF\xBD" : text.substr(0, escape.length);
    text.remove_prefix(escape.length);
  }
  return out;
}

std::string block_text(const json::value& block) {
  if (block.is_string()) return std::string(text_of(block));
  if (member(block, "text").is_string()) return std::string(text_of(member(block, "text")));
  if (text_of(member(block, "type")) == "diff") return std::string(text_of(member(block, "path")));
  return std::string(text_of(member(block, "content", "text")));
}

}  // namespace

std::optional<json::value> parse_line(std::string_view line, const json::storage_ptr& memory) {
  if (line.find('{') == std::string_view::npos) return std::nullopt;
  std::optional<json::value> value = parsed_object(line, memory);
  if (value) return value;
  return parsed_object(without_halves(valid_utf8(std::string(line))), memory);
}

std::string content_text(const json::value& content) {
  if (content.is_null()) return {};
  if (content.is_string()) return std::string(text_of(content));
  if (!content.is_array()) return json_text(content);
  std::string out;
  for (const json::value& block : content.get_array())
    out += block_text(block);
  return out;
}

std::string plain_error(std::string_view text) {
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos) return std::string(text);
  const std::optional<json::value> inner = parse_line(text.substr(brace));
  if (!inner) return std::string(text);
  std::string_view message = text_of(member(*inner, "error", "message"));
  if (message.empty()) message = text_of(member(*inner, "message"));
  if (message.empty()) return std::string(text);
  return std::string(text.substr(0, brace)) + std::string(message);
}

}  // namespace oriel
