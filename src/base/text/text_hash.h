#pragma once
// A hash that is stable across runs and machines, because it is stored.

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// FNV-1a, 64 bits. Pass the previous hash as `so_far` to hash several texts.
constexpr std::uint64_t text_hash(std::string_view text,
                                  std::uint64_t so_far = 14'695'981'039'346'656'037ULL) {
  for (const char c : text)
    so_far = (so_far ^ static_cast<unsigned char>(c)) * 1'099'511'628'211ULL;
  return so_far;
}

// 16 digits of 0-9a-f.
inline std::string hex(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4)
    text[i] = kDigits[number & 15];
  return text;
}

// Without surrounding white space.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace oriel
