#pragma once
// The characters of a text that may not be UTF-8.

#include <string_view>

namespace oriel {

struct Glyph {
  std::string_view bytes;  // as in the text
  char32_t character = 0;  // meaningless unless is_valid
  bool is_valid = false;   // one whole UTF-8 sequence, else one stray byte
};

// The first character of `text`, which is not empty.
Glyph first_glyph(std::string_view text);

}  // namespace oriel
