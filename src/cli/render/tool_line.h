#pragma once
// A tool call in one line.

#include "base/event/session_event.h"
#include "base/text/printable.h"

#include <chrono>
#include <string>
#include <string_view>

namespace oriel {

// The first line that is not blank, and the number of others: "total 12 (+3 lines)".
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

// Of a tool that has ended.
ToolLine ended_tool_line(const event::ToolResult& result, std::string arguments);

// Fits `width` columns: arguments are cut first, to a third at least.
std::string format_tool_line(const ToolLine& line, bool is_colored, std::size_t width);

}  // namespace oriel
