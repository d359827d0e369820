#pragma once
// Patterns of well-known keys and tokens. Pure.

#include <span>
#include <string_view>

namespace oriel {

// A secret, or a possible beginning of one.
struct SecretMatch {
  std::string_view name;   // "github-token"
  std::size_t length = 0;  // 0: none, or not yet
  bool is_open = false;    // reaches the end of the text: more text may continue or complete it
};

// The secret at the beginning of `text`. `before` is the character in front of it, or NUL: keys do
// not begin inside a word.
SecretMatch match_shape(std::string_view text, char before);

// The first characters of all shapes.
std::span<const std::string_view> shape_prefixes();

}  // namespace oriel
