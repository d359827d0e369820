#pragma once
// Makes untrusted bytes safe for error messages and log lines.

#include <string>
#include <string_view>

namespace oriel {

// In double quotes, control and non-ASCII bytes as \xNN, cut after 80 bytes with an ellipsis.
std::string quote(std::string_view text);

}  // namespace oriel
