#pragma once
// Makes untrusted bytes valid UTF-8 for JSON.

#include <string>
#include <string_view>

namespace oriel {

// UTF-8 of RFC 3629: no surrogates, no overlong forms, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

// The text with U+FFFD for each byte that belongs to no whole sequence. Valid text is not copied.
std::string valid_utf8(std::string text);

// At most `most` bytes from the front or the end of valid UTF-8, cut between characters.
std::string_view first_bytes(std::string_view text, std::size_t most);
std::string_view last_bytes(std::string_view text, std::size_t most);

}  // namespace oriel
