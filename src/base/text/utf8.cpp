#include "base/text/utf8.h"

namespace oriel {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_between(unsigned char byte, unsigned char low, unsigned char high) {
  return byte >= low && byte <= high;
}

// Whether the byte continues a character of several.
bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Bytes of the whole sequence at the front of `text`, which is not empty; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : '\0';
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!is_between(byte(1), low, high)) return 0;
  if (lead < 0xE0) return 2;
  if (!is_between(byte(2), 0x80, 0xBF)) return 0;
  if (lead < 0xF0) return 3;
  return is_between(byte(3), 0x80, 0xBF) ? 4 : 0;
}

// Bytes of `text` before its first bad one.
std::size_t valid_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

bool is_utf8(std::string_view text) {
  return valid_length(text) == text.size();
}

std::string valid_utf8(std::string text) {
  const std::size_t first_bad = valid_length(text);
  if (first_bad == text.size()) return text;
  std::string out;
  out.reserve(text.size() + kReplacement.size());
  std::string_view rest = text;
  for (std::size_t length = first_bad;; length = valid_length(rest)) {
    out += rest.substr(0, length);
    if (length == rest.size()) return out;
    out += kReplacement;
    rest.remove_prefix(length + 1);
  }
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t size = most;
  while (size > 0 && is_inside_character(text[size]))
    --size;
  return text.substr(0, size);
}

std::string_view last_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t first = text.size() - most;
  while (first < text.size() && is_inside_character(text[first]))
    ++first;
  return text.substr(first);
}

}  // namespace oriel
