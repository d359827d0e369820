#pragma once
// Bytes of any origin, made fit for JSON.

#include <string>
#include <string_view>

namespace oriel {

// The same text, with U+FFFD for each byte that is not part of a UTF-8 character.
std::string valid_utf8(std::string_view bytes);

}  // namespace oriel
