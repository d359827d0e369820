#pragma once
// Media types, and patterns of accepted types.

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// "Image/PNG; q=1" becomes "image/png"; invalid text becomes "application/octet-stream".
std::string media_type_of(std::string_view declared);

// A pattern: "text/*", "application/pdf" or "*/*".
bool is_type_pattern(std::string_view text);

// Whether one of the patterns matches `type`, a result of media_type_of().
bool matches_type(std::string_view type, const std::vector<std::string>& patterns);

}  // namespace oriel
