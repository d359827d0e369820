#include "api/feed/event_feed.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

http::Request request_with(std::vector<std::pair<std::string, std::string>> query,
                           std::vector<std::pair<std::string, std::string>> headers = {}) {
  http::Request request;
  request.method = "GET";
  request.query = std::move(query);
  request.headers = std::move(headers);
  return request;
}

TEST(R_SSE_8, ListsAndRepeatsOfAParameterAddUp) {
  const auto feed = parse_feed_request(
      request_with({{"types", "a,b"}, {"types", "c"}, {"project_id", "1"}, {"agent_id", "ses_1"}}));
  ASSERT_TRUE(feed.has_value());
  EXPECT_EQ(feed->filter,
            (EventFilter{.types = {"a", "b", "c"}, .projects = {"1"}, .sessions = {"ses_1"}}));
  EXPECT_FALSE(feed->cursor.has_value());
}

TEST(R_SSE_8, AMalformedFilterNamesItsParameter) {
  for (const char* value : {"", "a,,b", "a b", ",", "a\n"}) {
    const auto feed = parse_feed_request(request_with({{"project_id", value}}));
    ASSERT_FALSE(feed.has_value()) << value;
    EXPECT_EQ(feed.error().kind, ErrorKind::kInvalidFilter);
    EXPECT_NE(feed.error().message.find("project_id"), std::string::npos);
  }
}

TEST(R_SSE_8, AMisspelledParameterIsAnError) {
  const auto feed = parse_feed_request(request_with({{"project", "1"}}));
  ASSERT_FALSE(feed.has_value());
  EXPECT_NE(feed.error().message.find("project"), std::string::npos);
}

TEST(R_SSE_10, TheHeadersCursorWinsOverTheUrls) {
  const auto feed = parse_feed_request(request_with({{"last_event_id", "1-aaaaaaaaaaaaaaaa"}},
                                                    {{"last-event-id", "2-aaaaaaaaaaaaaaaa"}}));
  ASSERT_TRUE(feed.has_value());
  EXPECT_EQ(feed->cursor, (Cursor{.sequence = 2, .epoch = "aaaaaaaaaaaaaaaa"}));
}

TEST(R_SSE_10, AMalformedCursorIsAnError) {
  for (const char* value :
       {"x", "-1", "1", "1-", "1-short", "99999999999999999999-aaaaaaaaaaaaaaaa"}) {
    const auto feed = parse_feed_request(request_with({{"last_event_id", value}}));
    ASSERT_FALSE(feed.has_value()) << value;
    EXPECT_EQ(feed.error().kind, ErrorKind::kInvalidCursor);
  }
}

}  // namespace
}  // namespace oriel
