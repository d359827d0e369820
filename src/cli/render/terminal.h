#pragma once
// What is at the other end of standard output and error, and writing to it.

#include "base/printable.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel {

bool is_terminal(int fd);

// A terminal that understands escape sequences: its TERM is not dumb.
bool can_be_controlled(int fd);

// Such a terminal, unless NO_COLOR asks for plain text.
bool may_color(int fd);

// Columns of standard output's terminal; kAnyWidth when unknown or too narrow to cut lines for.
std::size_t terminal_width();

// How standard output looks to a command that writes text once.
struct Screen {
  bool is_terminal = false;
  bool is_colored = false;
  std::size_t width = kAnyWidth;
};

Screen standard_output(bool wants_color);

// `color` is the number in an SGR sequence: "1;31". Text that is empty stays so.
std::string paint(bool is_colored, std::string_view color, std::string_view text);

// Throws std::system_error, of broken_pipe when nobody reads any more.
void write_all(int fd, std::string_view text);

}  // namespace oriel
