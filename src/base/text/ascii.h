#pragma once
// ASCII text, independent of the locale.

#include <string>
#include <string_view>

namespace oriel {

// Letters in lower case, for comparing names of headers, hosts and media types.
std::string lower_case(std::string_view text);

// Whether they are equal except for the case of letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// Whether there is nothing but spaces, tabs and line breaks.
bool is_blank(std::string_view text);

// With a space for each line break.
std::string in_one_line(std::string text);

// Without surrounding spaces and tabs, as for the value of a header.
std::string_view stripped(std::string_view text);

}  // namespace oriel
