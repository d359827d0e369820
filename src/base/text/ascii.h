#pragma once
// ASCII text, whatever the locale.

#include <string>
#include <string_view>

namespace oriel {

// Its letters in lower case: how names of headers, hosts and media types compare.
std::string lower_case(std::string_view text);

// Whether they are the same but for the case of letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// Without the spaces and tabs around it: what a header's value is, and each item of a list in one.
std::string_view stripped(std::string_view text);

}  // namespace oriel
