#include "cli/render/tool_line.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

TEST(ToolLine, ResultIsTheFirstLineThatIsNotBlank) {
  EXPECT_EQ(short_result(""), "");
  EXPECT_EQ(short_result("\n \n"), "");
  EXPECT_EQ(short_result("\n  one\r\n"), "one");
  EXPECT_EQ(short_result("one\n\ntwo\n"), "one (+1 line)");
  EXPECT_EQ(short_result("one\ntwo\nthree"), "one (+2 lines)");
}

TEST(ToolLine, DurationsAreShort) {
  EXPECT_EQ(short_duration(milliseconds(-5)), "0ms");
  EXPECT_EQ(short_duration(milliseconds(340)), "340ms");
  EXPECT_EQ(short_duration(milliseconds(1230)), "1.2s");
  EXPECT_EQ(short_duration(milliseconds(75'000)), "75s");
  EXPECT_EQ(short_duration(milliseconds(245'000)), "4m05s");
  EXPECT_EQ(short_duration(std::chrono::minutes(123)), "2h03m");
}

ToolLine line_of(std::string arguments, std::string result) {
  return {.mark = "✓",
          .mark_color = "32",
          .name = "Bash",
          .arguments = std::move(arguments),
          .duration = "1.2s",
          .result = std::move(result)};
}

TEST(ToolLine, ShowsCallDurationAndResult) {
  EXPECT_EQ(format_tool_line(line_of("ls", "total 12"), false, kAnyWidth),
            "✓ Bash ls  1.2s  total 12");
  EXPECT_EQ(format_tool_line(line_of("", ""), false, kAnyWidth), "✓ Bash  1.2s");
  EXPECT_EQ(format_tool_line(line_of("ls", "ok"), true, kAnyWidth),
            "\x1b[32m✓\x1b[0m \x1b[1mBash\x1b[0m ls  \x1b[2m1.2s\x1b[0m  \x1b[2mok\x1b[0m");
}

TEST(ToolLine, NeverWiderThanTheTerminal) {
  const std::string many(200, 'a');
  for (const std::size_t width : {40U, 57U, 80U, 120U}) {
    for (const auto& line : {line_of(many, many), line_of("ls", many), line_of(many, "ok"),
                             line_of(many, "世界世界世界世界世界世界世界世界世界世界世界世界")}) {
      EXPECT_LE(display_width(format_tool_line(line, false, width)), width);
    }
  }
  EXPECT_TRUE(format_tool_line(line_of(many, "ok"), false, 40).ends_with("  ok"));
}

TEST(ToolLine, HasNoControlCharacters) {
  const std::string shown = format_tool_line(line_of("\x1b[2J", "\x07"), false, kAnyWidth);
  EXPECT_EQ(shown, "✓ Bash \\x1b[2J  1.2s  \\x07");
}

}  // namespace
}  // namespace oriel
