#include "cli/render/tool_line.h"

#include "base/text/ascii.h"
#include "cli/render/terminal.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

namespace oriel {

std::string short_result(std::string_view output) {
  std::string first;
  std::size_t more = 0;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    if (is_blank(line)) continue;
    if (first.empty()) {
      first = line.substr(line.find_first_not_of(" \t"));
    } else {
      ++more;
    }
  }
  if (first.ends_with('\r')) first.pop_back();
  return more == 0 ? first : fmt::format("{} (+{} line{})", first, more, more == 1 ? "" : "s");
}

std::string short_duration(std::chrono::milliseconds duration) {
  const auto ms = std::max<std::int64_t>(duration.count(), 0);
  if (ms < 1000) return fmt::format("{}ms", ms);
  if (ms < 10'000) return fmt::format("{:.1f}s", static_cast<double>(ms) / 1000);
  const auto seconds = ms / 1000;
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (seconds < 7200) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

ToolLine ended_tool_line(const event::ToolResult& result, std::string arguments) {
  return {.mark = result.is_ok ? "✓" : "✗",
          .mark_color = std::string(result.is_ok ? kGreen : kRed),
          .name = result.name,
          .arguments = std::move(arguments),
          .duration = short_duration(result.duration),
          .result = short_result(result.output),
          .result_color = std::string(result.is_ok ? kDim : kRed)};
}

std::string format_tool_line(const ToolLine& line, bool is_colored, std::size_t width) {
  const std::string name = printable(line.name, width / 3);
  // The mark, and a space or two between the parts.
  const std::size_t fixed = 2 + display_width(name) + 1 + 2 + display_width(line.duration) + 2;
  const std::size_t space = width > fixed ? width - fixed : 0;
  const std::size_t for_result = std::min(display_width(printable(line.result)), space - space / 3);
  const std::string arguments = printable(line.arguments, space - for_result);
  const std::string result = printable(line.result, space - display_width(arguments));

  std::string out =
      paint(is_colored, line.mark_color, line.mark) + " " + paint(is_colored, "1", name);
  if (!arguments.empty()) out += " " + arguments;
  out += "  " + paint(is_colored, "2", line.duration);
  if (!result.empty()) out += "  " + paint(is_colored, line.result_color, result);
  return out;
}

}  // namespace oriel
