#pragma once
// SHA-256, for what must not be guessed or must not change unseen.

#include <string>
#include <string_view>

namespace oriel {

// In lower-case hex: 64 characters.
std::string sha256_hex(std::string_view bytes);

}  // namespace oriel
