#pragma once
// The title of a session that nobody named: the beginning of what was asked first.

#include <string>
#include <string_view>

namespace oriel {

// The first line that is not blank, without the white space around it.
std::string_view title_line(std::string_view text);

// The beginning of this line, at most 80 bytes of whole characters.
std::string title_of(std::string_view text);

}  // namespace oriel
