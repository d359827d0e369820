#include "base/text/glyph.h"

#include <array>
#include <cstddef>

namespace oriel {
namespace {

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

bool is_scalar(char32_t c, std::size_t length) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // by length
  return c >= kLeast[length] && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

}  // namespace

Glyph first_glyph(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const Glyph stray{.bytes = text.substr(0, 1)};
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return stray;
  char32_t character = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return stray;
    character = character << 6 | (byte & 0x3f);
  }
  if (!is_scalar(character, length)) return stray;
  return {.bytes = text.substr(0, length), .character = character, .is_valid = true};
}

}  // namespace oriel
