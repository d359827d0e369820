#pragma once
// Formats events for `oriel watch`: one line for people, or one JSON line for programs. Control
// characters in events never reach the terminal.

#include "base/text/printable.h"
#include "base/time.h"
#include "client/sse_parser.h"

#include <chrono>
#include <string>

namespace oriel {

struct LineStyle {
  bool is_colored = false;
  std::size_t width = kAnyWidth;       // longer lines are cut
  std::chrono::minutes utc_offset{0};  // for displayed times
};

// "21:19:27"; "--:--:--" if it is unknown: WallTime().
std::string time_of_day(WallTime time, std::chrono::minutes utc_offset);

// "21:19:27 tool_call    demo/ses_1  Bash ls -l", without a line end.
std::string text_line(const SseEvent& event, const LineStyle& style);

// {"id":"...","event":"...","data":...}, without a line end. Data is copied as is if it is JSON,
// otherwise it becomes a string.
std::string json_line(const SseEvent& event);

// Describes the stream's own events.
std::string hello_notice(const SseEvent& event);
std::string gap_notice(const SseEvent& event);
std::string bye_notice(const SseEvent& event);

}  // namespace oriel
