#include "client/sse_parser.h"

#include <gmock/gmock.h>

#include <vector>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Feeds the parts and returns each event as "id|event|data".
std::vector<std::string> events_of(SseParser& parser,
                                   std::initializer_list<std::string_view> parts) {
  std::vector<std::string> events;
  for (const std::string_view part : parts) {
    parser.feed(part, [&events](const SseEvent& event) {
      events.push_back(event.id + "|" + event.event + "|" + event.data);
    });
  }
  return events;
}

std::vector<std::string> events_of(std::string_view stream) {
  SseParser parser;
  return events_of(parser, {stream});
}

TEST(SseParser, ReadsIdEventAndData) {
  EXPECT_THAT(events_of("id: 7-abc\nevent: message\ndata: {\"a\":1}\n\n"),
              ElementsAre("7-abc|message|{\"a\":1}"));
}

TEST(SseParser, CallsAnEventWithoutNameMessage) {
  EXPECT_THAT(events_of("data: a\n\nevent: x\ndata: b\n\nevent:\ndata: c\n\n"),
              ElementsAre("|message|a", "|x|b", "|message|c"));
}

TEST(SseParser, JoinsLinesOfDataByLineFeeds) {
  EXPECT_THAT(events_of("data: a\ndata\ndata:\ndata: b\n\n"), ElementsAre("|message|a\n\n\nb"));
}

TEST(SseParser, DistinguishesEmptyDataFromNone) {
  EXPECT_THAT(events_of("data\n\ndata:\n\nevent: x\n\n"), ElementsAre("|message|", "|message|"));
}

TEST(SseParser, RemovesOneSpaceAfterTheColon) {
  EXPECT_THAT(events_of("data:a\n\ndata:  b\n\ndata: c: d\n\n"),
              ElementsAre("|message|a", "|message| b", "|message|c: d"));
}

TEST(SseParser, SkipsCommentsAndUnknownFields) {
  EXPECT_THAT(events_of(": heartbeat\n\n:\nfoo: bar\n data: no\nDATA: no\ndata: a\n\n"),
              ElementsAre("|message|a"));
}

TEST(SseParser, ResetsTheEventNameAfterABlockWithoutData) {
  EXPECT_THAT(events_of("event: x\n\ndata: a\n\n"), ElementsAre("|message|a"));
}

TEST(SseParser, EndsLinesAtLfCrAndCrlf) {
  EXPECT_THAT(events_of("data: a\r\rdata: b\r\n\r\ndata: c\n\r\ndata: d\r\n\n"),
              ElementsAre("|message|a", "|message|b", "|message|c", "|message|d"));
}

TEST(SseParser, ReadsASplitCrlfAsOneEnd) {
  SseParser parser;
  EXPECT_THAT(events_of(parser, {"data: a\r", "\ndata: b\r", "", "\n\r", "\n"}),
              ElementsAre("|message|a\nb"));
}

TEST(SseParser, ReturnsTheSameEventsHoweverTheBytesAreSplit) {
  const std::string_view stream =
      "\xEF\xBB\xBFretry: 5\r\nid: 1\r\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n: c\n\nid: "
      "2\n\ndata: d\r\r";
  const auto whole = events_of(stream);
  ASSERT_THAT(whole, ElementsAre("1|x|a\nb", "2|message|d"));
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    for (std::size_t j = i; j <= stream.size(); ++j) {
      SseParser parser;
      EXPECT_EQ(events_of(parser, {stream.substr(0, i), stream.substr(i, j - i), stream.substr(j)}),
                whole);
    }
  }
}

TEST(SseParser, SkipsAByteOrderMarkAtTheStartOnly) {
  EXPECT_THAT(events_of("\xEF\xBB\xBF"
                        "data: a\n\n\xEF\xBB\xBF"
                        "data: b\n\n"),
              ElementsAre("|message|a"));
}

TEST(SseParser, WaitsForTheEndOfABlock) {
  SseParser parser;
  EXPECT_THAT(events_of(parser, {"data: a\n"}), IsEmpty());
  EXPECT_THAT(events_of(parser, {"\n"}), ElementsAre("|message|a"));
}

TEST(SseParser, KeepsTheIdForEventsThatHaveNone) {
  EXPECT_THAT(events_of("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"),
              ElementsAre("1|message|a", "1|message|b", "|message|c"));
}

TEST(SseParser, TakesTheIdOfABlockWithoutEvent) {
  SseParser parser;
  EXPECT_THAT(events_of(parser, {"id: 9-abc\n\n"}), IsEmpty());
  EXPECT_EQ(parser.last_id(), "9-abc");
}

TEST(SseParser, DoesNotAdvanceForAnIncompleteBlock) {
  SseParser parser;
  events_of(parser, {"id: 1\ndata: a\n\nid: 2\ndata: b\n"});
  EXPECT_EQ(parser.last_id(), "1");
}

TEST(SseParser, IgnoresAnIdWithANul) {
  SseParser parser;
  events_of(parser, {"id: 1\n\n", std::string_view("id: 2\0\n\n", 8)});
  EXPECT_EQ(parser.last_id(), "1");
}

TEST(SseParser, AcceptsRetryOfDigitsOnly) {
  SseParser parser;
  EXPECT_EQ(parser.retry_ms(), 0);
  events_of(parser, {"retry: 2000\n"});
  EXPECT_EQ(parser.retry_ms(), 2000);
  events_of(parser, {"retry: -1\nretry: +5\nretry: 1s\nretry: 1.5\nretry:\nretry\nretry: "
                     "99999999999\nretry:  7\n"});
  EXPECT_EQ(parser.retry_ms(), 2000);
}

TEST(SseParser, ReportsTheSizeOfAnIncompleteBlock) {
  SseParser parser;
  parser.feed("data: 1234\nda", [](const SseEvent&) {});
  EXPECT_EQ(parser.held(), 6U);
  parser.feed("ta: 5\n\n", [](const SseEvent&) {});
  EXPECT_EQ(parser.held(), 0U);
}

}  // namespace
}  // namespace oriel
