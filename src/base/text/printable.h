#pragma once
// Makes untrusted text safe for a terminal: it cannot move the cursor, start an escape sequence or
// change the writing direction.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

// Control characters become \n, \t or \xNN, direction marks \u{NNNN}, bytes that are not UTF-8
// \xNN. Wider text is cut at `max_columns`, with an ellipsis as its last column.
std::string printable(std::string_view text, std::size_t max_columns = kAnyWidth);

// Like printable() for several lines: keeps newlines and tabs, drops carriage returns.
std::string printable_lines(std::string_view text);

// Columns that printable text takes on a terminal.
std::size_t display_width(std::string_view text);

}  // namespace oriel
