#include "base/text/base64.h"

#include <array>
#include <cstdint>

namespace oriel {
namespace {

constexpr std::string_view kCommonAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using Values = std::array<int, 256>;  // of digits; -1: not one

constexpr Values values_of(std::string_view alphabet) {
  Values values{};
  values.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<int>(i);
  return values;
}

constexpr Values kCommonValues = values_of(kCommonAlphabet);
constexpr Values kUrlValues = values_of(kUrlAlphabet);

std::optional<std::string> decode(std::string_view digits, const Values& values) {
  if (digits.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() * 3 / 4);
  std::uint32_t held = 0;  // its lowest `bits` are not yet in `bytes`
  unsigned bits = 0;
  for (const char digit : digits) {
    const int value = values[static_cast<unsigned char>(digit)];
    if (value < 0) return std::nullopt;
    held = (held << 6 | static_cast<std::uint32_t>(value)) & 0xFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  const bool has_stray_bits = (held & ((1u << bits) - 1)) != 0;
  if (has_stray_bits) return std::nullopt;
  return bytes;
}

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;  // its lowest `bits` are not yet in `text`
  unsigned bits = 0;
  for (const char byte : bytes) {
    held = (held << 8 | static_cast<unsigned char>(byte)) & 0xFFFF;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += alphabet[held >> bits & 63];
    }
  }
  if (bits > 0) text += alphabet[held << (6 - bits) & 63];
  return text;
}

}  // namespace

std::string base64url(std::string_view bytes) {
  return encode(bytes, kUrlAlphabet);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return decode(text, kUrlValues);
}

std::string base64(std::string_view bytes) {
  std::string text = encode(bytes, kCommonAlphabet);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  if (text.ends_with('=')) text.remove_suffix(text.ends_with("==") ? 2 : 1);
  return decode(text, kCommonValues);
}

}  // namespace oriel
