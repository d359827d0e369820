#include "base/text/json_text.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<bool, 256> kIsPlain = [] {
  std::array<bool, 256> is_plain{};
  for (std::size_t c = 0x20; c < is_plain.size(); ++c)
    is_plain[c] = c != '"' && c != '\\';
  return is_plain;
}();

constexpr std::string_view kNamedEscapes = "\"\\\b\f\n\r\t";

// Bytes that a character of a string takes.
constexpr std::array<std::uint8_t, 256> kSizes = [] {
  std::array<std::uint8_t, 256> sizes{};
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const bool has_name = kNamedEscapes.find(static_cast<char>(c)) != std::string_view::npos;
    sizes[c] = kIsPlain[c] ? 1 : has_name ? 2 : 6;
  }
  return sizes;
}();

bool is_plain(char c) {
  return kIsPlain[static_cast<unsigned char>(c)];
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::size_t named = kNamedEscapes.find(c);
  out += '\\';
  if (named != std::string_view::npos) {
    out += kLetters[named];
    return;
  }
  out += "u00";
  out += kDigits[static_cast<unsigned char>(c) >> 4];
  out += kDigits[static_cast<unsigned char>(c) & 15];
}

void append_number(std::string& out, auto number) {
  std::array<char, 24> digits{};
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end);
}

void append_array(std::string& out, const json::array& array) {
  out += '[';
  const char* separator = "";
  for (const json::value& element : array) {
    out += separator;
    append_json(out, element);
    separator = ",";
  }
  out += ']';
}

void append_object(std::string& out, const json::object& object) {
  out += '{';
  const char* separator = "";
  for (const auto& [key, member] : object) {
    out += separator;
    append_json_string(out, key);
    out += ':';
    append_json(out, member);
    separator = ",";
  }
  out += '}';
}

}  // namespace

// Most of what is written is text that needs no escape: it is copied in one piece.
void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto plain = static_cast<std::size_t>(end - text.begin());
    out.append(text, 0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    append_escape(out, text.front());
    text.remove_prefix(1);
  }
  out += '"';
}

std::size_t json_string_size(std::string_view text) {
  constexpr std::size_t kQuotes = 2;
  return std::accumulate(text.begin(), text.end(), kQuotes, [](std::size_t size, char c) {
    return size + kSizes[static_cast<unsigned char>(c)];
  });
}

// As deep as the parser allows a document to be, so the recursion is bounded.
void append_json(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::array:
      return append_array(out, value.get_array());
    case json::kind::object:
      return append_object(out, value.get_object());
    case json::kind::double_:
      // The parser takes 1e999 for infinity, which JSON has no word for.
      out += std::isfinite(value.get_double()) ? fmt::format("{}", value.get_double()) : "null";
      return;
    case json::kind::string:
      return append_json_string(out, value.get_string());
    case json::kind::int64:
      return append_number(out, value.get_int64());
    case json::kind::uint64:
      return append_number(out, value.get_uint64());
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case json::kind::null:
      out += "null";
  }
}

std::string json_text(const boost::json::value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string json_text(const boost::json::object& object) {
  std::string out;
  append_object(out, object);
  return out;
}

}  // namespace oriel
