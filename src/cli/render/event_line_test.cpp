#include "cli/render/event_line.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

SseEvent event_with(std::string type, std::string data) {
  return {.id = "12-abc", .event = std::move(type), .data = std::move(data)};
}

const char* const kMessage =
    R"({"index":3,"type":"message","text":"hello","tool_name":"","role":"","session_id":"ses_1",)"
    R"("timestamp":"2026-11-15T21:19:27.042Z","project_id":"demo"})";

TEST(EventLine, ShowsTimeTypeOriginAndText) {
  EXPECT_EQ(text_line(event_with("message", kMessage), {}),
            "21:19:27 message      demo/ses_1  hello");
}

TEST(EventLine, ShowsLocalTime) {
  EXPECT_EQ(text_line(event_with("message", kMessage), {.utc_offset = std::chrono::minutes(330)}),
            "02:49:27 message      demo/ses_1  hello");
  EXPECT_EQ(text_line(event_with("message", kMessage), {.utc_offset = std::chrono::hours(-22)}),
            "23:19:27 message      demo/ses_1  hello");
}

TEST(EventLine, ShowsDataWhenThereIsNoText) {
  EXPECT_EQ(
      text_line(event_with("deploy", R"({"text":"","session_id":"","data":{"a": [1, 2]}})"), {}),
      "--:--:-- deploy       {\"a\":[1,2]}");
}

TEST(EventLine, NamesTheTool) {
  EXPECT_EQ(text_line(event_with("tool_call", R"({"tool_name":"Bash","text":"ls"})"), {}),
            "--:--:-- tool_call    Bash ls");
}

TEST(EventLine, ShowsOtherDataUnchanged) {
  EXPECT_EQ(text_line(event_with("x", "not json"), {}), "--:--:-- x            not json");
  EXPECT_EQ(text_line(event_with("x", "[1]"), {}), "--:--:-- x            [1]");
  EXPECT_EQ(text_line(event_with("x", ""), {}), "--:--:-- x");
}

TEST(EventLine, IsCutAtTheTerminalsWidth) {
  const std::string line = text_line(event_with("message", kMessage), {.width = 37});
  EXPECT_EQ(line, "21:19:27 message      demo/ses_1  he…");
  EXPECT_EQ(display_width(line), 37U);
}

TEST(EventLine, ColorsDoNotCountAsWidth) {
  const std::string line =
      text_line(event_with("message", kMessage), {.is_colored = true, .width = 37});
  EXPECT_EQ(line,
            "\x1b[2m21:19:27\x1b[0m \x1b[34mmessage\x1b[0m      \x1b[2mdemo/ses_1\x1b[0m  he…");
}

TEST(EventLine, HasNoControlCharacters) {
  const char* const data =
      R"({"text":"\u001b]0;owned\u0007\n\u009b2J","tool_name":"\u001bc","session_id":"\u001b[1m",)"
      R"("project_id":"\r","timestamp":"2026-11-15T\u001b[:19:27.042Z"})";
  const std::string line = text_line(event_with("\x1b[5m", data), {});
  for (const char c : line)
    EXPECT_GE(static_cast<unsigned char>(c), 0x20) << line;
  EXPECT_EQ(line, R"(--:--:-- \x1b[5m      \x0d/\x1b[1m  \x1bc \x1b]0;owned\x07\n\u{9b}2J)");
}

TEST(EventLine, WritesJsonDataUnchanged) {
  EXPECT_EQ(json_line(event_with("message", R"({"b":1e2, "a":12345678901234567890123})")),
            R"({"id":"12-abc","event":"message","data":{"b":1e2, "a":12345678901234567890123}})");
}

TEST(EventLine, WritesOtherDataAsAString) {
  EXPECT_EQ(json_line(event_with("x", "a\"\n\x1b")),
            R"({"id":"12-abc","event":"x","data":"a\"\n\u001b"})");
}

TEST(EventLine, WritesJsonOfManyLinesInOne) {
  EXPECT_EQ(json_line(event_with("x", "{\"a\":\n1}")),
            R"({"id":"12-abc","event":"x","data":{"a":1}})");
}

TEST(EventLine, JsonIsAlwaysOneObjectOnOneLine) {
  for (const char* data : {"", "{", "\"x\"", "null", "{\"a\":1}x", "\x1b[0m"}) {
    const std::string line = json_line(event_with("a\"b", data));
    EXPECT_EQ(line.find('\n'), line.npos);
    EXPECT_TRUE(boost::json::parse(line).is_object()) << line;
  }
}

TEST(EventLine, DescribesTheStartOfAStream) {
  EXPECT_EQ(hello_notice(event_with("hello", R"({"head":42,"resumed":false})")),
            "connected; the newest event is 42");
  EXPECT_EQ(hello_notice(event_with("hello", R"({"head":42,"resumed":true})")),
            "connected, resuming");
  EXPECT_EQ(hello_notice(event_with("hello", "?")), "connected");
}

TEST(EventLine, DescribesAGap) {
  EXPECT_EQ(gap_notice(event_with("gap", R"({"oldest":21,"head":42,"missed":20})")),
            "gap: 20 events are no longer held; continuing from event 21");
  EXPECT_EQ(gap_notice(event_with("gap", R"({"oldest":1,"head":42,"missed":null})")),
            "gap: the server has a new journal; continuing from event 1");
}

TEST(EventLine, DescribesTheEndOfAStream) {
  EXPECT_EQ(bye_notice(event_with("bye", R"({"reason":"shutdown","retry_ms":100})")),
            "the server closes the stream: shutdown");
}

}  // namespace
}  // namespace oriel
