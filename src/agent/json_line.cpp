#include "agent/json_line.h"

#include "core/json_text.h"

#include <boost/json/parse.hpp>

#include <array>
#include <cstdint>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 128;

std::optional<json::value> parsed_object(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (error || !value.is_object()) return std::nullopt;
  return value;
}

// The length of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  struct Lead {
    unsigned char first, last, second_first, second_last;
    std::size_t length;
  };

  static constexpr std::array<Lead, 9> kLeads = {{{0x00, 0x7F, 0, 0, 1},
                                                  {0xC2, 0xDF, 0x80, 0xBF, 2},
                                                  {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                                  {0xE1, 0xEC, 0x80, 0xBF, 3},
                                                  {0xED, 0xED, 0x80, 0x9F, 3},
                                                  {0xEE, 0xEF, 0x80, 0xBF, 3},
                                                  {0xF0, 0xF0, 0x90, 0xBF, 4},
                                                  {0xF1, 0xF3, 0x80, 0xBF, 4},
                                                  {0xF4, 0xF4, 0x80, 0x8F, 4}}};
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (const Lead& lead : kLeads) {
    if (byte(0) < lead.first || byte(0) > lead.last) continue;
    if (text.size() < lead.length) return 0;
    if (lead.length > 1 && (byte(1) < lead.second_first || byte(1) > lead.second_last)) return 0;
    for (std::size_t i = 2; i < lead.length; ++i)
      if ((byte(i) & 0xC0) != 0x80) return 0;
    return lead.length;
  }
  return 0;
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

// How many bytes at the start of `text` are whole, or 0; what is not whole is `broken` bytes long.
struct Piece {
  std::size_t whole = 0;
  std::size_t broken = 1;
};

Piece next_piece(std::string_view text) {
  if (text[0] != '\\') return {.whole = sequence_length(text)};
  const unsigned unit = escaped_unit(text);
  if (is_leading(unit) && is_trailing(escaped_unit(text.substr(6)))) return {.whole = 12};
  if (is_leading(unit) || is_trailing(unit)) return {.broken = 6};
  if (text.size() > 1 && (text[1] == '\\' || text[1] == '"')) return {.whole = 2};
  return {.whole = 1};
}

std::string repaired(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Piece piece = next_piece(text);
    out += piece.whole > 0 ? text.substr(0, piece.whole) : "\xEF\xBF\xBD";
    text.remove_prefix(piece.whole > 0 ? piece.whole : piece.broken);
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

std::optional<json::value> parse_line(std::string_view line) {
  if (line.find('{') == std::string_view::npos) return std::nullopt;
  std::optional<json::value> value = parsed_object(line);
  if (!value) value = parsed_object(repaired(line));
  return value;
}

const json::value& member(const json::value& from, std::string_view key) {
  static const json::value none;
  const json::object* object = from.if_object();
  const json::value* found = object ? object->if_contains(key) : nullptr;
  return found ? *found : none;
}

std::string_view text_of(const json::value& value) {
  const json::string* text = value.if_string();
  return text ? std::string_view(*text) : std::string_view();
}

const json::array& elements_of(const json::value& value) {
  static const json::array none;
  const json::array* elements = value.if_array();
  return elements ? *elements : none;
}

bool is_true(const json::value& value) {
  return value.is_bool() && value.get_bool();
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
