#include "base/session_event.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <vector>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr WallTime kTime{std::chrono::milliseconds{1'794'777'567'042}};

std::string json_of(const SessionEvent& event) {
  return event_json(0, serialize_body(event));
}

std::vector<std::string> keys_of(const std::string& json) {
  std::vector<std::string> keys;
  const boost::json::value parsed = boost::json::parse(json);
  for (const auto& member : parsed.as_object())
    keys.emplace_back(member.key());
  return keys;
}

TEST(R_SHAPE_1, EventHasItsSixKeysInOrderThoughEmpty) {
  SessionEvent event;
  event.type = "status";
  event.timestamp = kTime;
  EXPECT_EQ(json_of(event),
            R"({"index":0,"type":"status","text":"","tool_name":"","role":"","session_id":"",)"
            R"("timestamp":"2026-11-15T21:19:27.042Z"})");
}

TEST(R_SHAPE_1, OptionalKeysFollowInOrder) {
  SessionEvent event;
  event.type = "tool_call";
  event.project_id = "p";
  event.task_id = "t";
  event.tool_call_id = "c";
  event.status = "running";
  event.usage = boost::json::value{{"tokens", 3}};
  event.data = boost::json::value{{"a", {1, 2, nullptr}}};
  EXPECT_THAT(keys_of(json_of(event)),
              ElementsAre("index", "type", "text", "tool_name", "role", "session_id", "timestamp",
                          "project_id", "task_id", "tool_call_id", "status", "usage", "data"));
}

TEST(R_SHAPE_1, EventCarriesWhatItWasGiven) {
  SessionEvent event;
  event.type = "message";
  event.text = "line\n\"quoted\" \\ \x01 \xC3\xA4";
  event.tool_name = "grep";
  event.role = "assistant";
  event.session_id = "s-1";
  event.data = boost::json::value(nullptr);
  const std::string json = event_json(18446744073709551615ULL, serialize_body(event));
  const boost::json::value parsed = boost::json::parse(json);
  EXPECT_EQ(parsed.at("index").to_number<std::uint64_t>(), 18446744073709551615ULL);
  EXPECT_EQ(parsed.at("text").as_string(), event.text);
  EXPECT_EQ(parsed.at("tool_name").as_string(), "grep");
  EXPECT_EQ(parsed.at("role").as_string(), "assistant");
  EXPECT_EQ(parsed.at("session_id").as_string(), "s-1");
  EXPECT_TRUE(parsed.at("data").is_null()) << "null is data too";
}

TEST(R_SHAPE_1, EventIsOneLine) {
  SessionEvent event;
  event.type = "message";
  event.text = "a\nb\r\nc";
  event.data = boost::json::value{{"k\n", "v\r"}};
  EXPECT_THAT(json_of(event), Not(testing::AnyOf(HasSubstr("\n"), HasSubstr("\r"))));
}

TEST(R_SHAPE_3, TimestampOfAnEventIsRfc3339WithMilliseconds) {
  SessionEvent event;
  event.timestamp = kTime;
  EXPECT_THAT(serialize_body(event), HasSubstr(R"("timestamp":"2026-11-15T21:19:27.042Z")"));
}

}  // namespace
}  // namespace oriel
