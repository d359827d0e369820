#pragma once
// A tool call in one line: what it is, how long it took, what came of it.

#include "base/printable.h"

#include <chrono>
#include <string>
#include <string_view>

namespace oriel {

// What matters of a tool's arguments: the command, the file, the pattern; else all of them. Takes
// the JSON text of an event; of text that is none, its first line.
std::string short_arguments(std::string_view arguments);

// The first line that says something, and how many follow: "total 12 (+3 lines)".
std::string short_result(std::string_view output);

// "340ms", "1.2s", "75s", "4m05s", "2h03m"
std::string short_duration(std::chrono::milliseconds duration);

struct ToolLine {
  std::string mark;  // one column: a spinner, ✓ or ✗
  std::string mark_color;
  std::string name;
  std::string arguments;
  std::string duration;
  std::string result = {};
  std::string result_color = "2";
};

// Fits `width` columns: arguments give way first, to no less than a third of them.
std::string format_tool_line(const ToolLine& line, bool is_colored, std::size_t width);

}  // namespace oriel
