#pragma once
// How `oriel watch` shows an event: a line for people, or a line of JSON for programs. Whatever an
// event holds, it stays on its line and cannot command the terminal.

#include "base/printable.h"
#include "client/sse_parser.h"

#include <chrono>
#include <string>

namespace oriel {

struct LineStyle {
  bool is_colored = false;
  std::size_t width = kAnyWidth;       // longer lines are cut
  std::chrono::minutes utc_offset{0};  // of the times shown
};

// "21:19:27 tool_call    demo/ses_1  Bash ls -l", without a line end.
std::string text_line(const SseEvent& event, const LineStyle& style);

// {"id":"...","event":"...","data":...}, without a line end. Data that is JSON stands as it came,
// else as a string.
std::string json_line(const SseEvent& event);

// What the stream's own events mean, in words.
std::string hello_notice(const SseEvent& event);
std::string gap_notice(const SseEvent& event);
std::string bye_notice(const SseEvent& event);

}  // namespace oriel
