#include "demo/utf8.h"

#include <cstdint>

namespace oriel {
namespace {

std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

// Of the character at the front; 0 if there is none.
std::size_t character_length(std::string_view bytes) {
  const std::size_t length = length_by_lead(static_cast<unsigned char>(bytes.front()));
  if (length == 0 || length > bytes.size()) return 0;
  std::uint32_t character = static_cast<unsigned char>(bytes.front()) & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte & 0x3f);
  }
  const bool is_overlong =
      (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
  return is_overlong || is_surrogate || (length == 4 && character > 0x10ffff) ? 0 : length;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    text += length > 0 ? bytes.substr(0, length) : "\xef\xbf\xbd";
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return text;
}

}  // namespace oriel
