#pragma once
// Somebody else's text, made fit for a terminal: it can neither move the cursor nor
// start an escape sequence nor turn the direction of writing.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

// Control characters become \n, \t or \xNN, direction marks \u{NNNN}, bytes that are not UTF-8
// \xNN. What is wider than `max_columns` is cut, with an ellipsis as its last column.
std::string printable(std::string_view text, std::size_t max_columns = kAnyWidth);

// The same for text of several lines: newlines and tabs stay, carriage returns are dropped.
std::string printable_lines(std::string_view text);

// Columns that printable text takes on a terminal.
std::size_t display_width(std::string_view text);

}  // namespace oriel
