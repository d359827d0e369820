#pragma once
// What a file is said to be, and whether such a file is welcome.

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// "image/png" of "Image/PNG; q=1"; application/octet-stream for what is no media type.
std::string media_type_of(std::string_view declared);

// "text/*", "application/pdf" or "*/*": what a list of welcome types is made of.
bool is_type_pattern(std::string_view text);

// `type` is of media_type_of().
bool is_welcome(std::string_view type, const std::vector<std::string>& patterns);

}  // namespace oriel
