#pragma once
// Properties of standard output and error, and writing to them.

#include "base/text/printable.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel {

bool is_terminal(int fd);

// A terminal that understands escape sequences: its TERM is not dumb.
bool can_be_controlled(int fd);

// Such a terminal, unless NO_COLOR is set.
bool may_color(int fd);

// Columns of the terminal; kAnyWidth if unknown or too narrow to cut lines.
std::size_t terminal_width();

// Properties of standard output for commands that write text once.
struct Screen {
  bool is_terminal = false;
  bool is_colored = false;
  std::size_t width = kAnyWidth;
};

Screen standard_output(bool wants_color);

inline constexpr std::string_view kBold = "1";
inline constexpr std::string_view kDim = "2";
inline constexpr std::string_view kRed = "31";
inline constexpr std::string_view kGreen = "32";
inline constexpr std::string_view kYellow = "33";

// `color` is the number in an SGR sequence: "1;31". Empty text stays empty.
std::string paint(bool is_colored, std::string_view color, std::string_view text);

// Throws std::system_error; with broken_pipe if the reader has gone.
void write_all(int fd, std::string_view text);

}  // namespace oriel
