#include "api/feed/publish_endpoint.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_SSE_12, APublicationMayNameProjectSessionTextAndData) {
  const auto event = parse_publication(
      R"({"type":"deploy","project_id":"shop","session_id":42,"text":"hi","data":{"n":[1]}})");
  ASSERT_TRUE(event.has_value()) << event.error().message;
  const auto& custom = std::get<event::Custom>(event->payload);
  EXPECT_EQ(custom.type, "deploy");
  EXPECT_EQ(event->project_id, "shop");
  EXPECT_EQ(event->session_id, "42");
  EXPECT_EQ(custom.text, "hi");
  EXPECT_EQ(custom.data->at("n").at(0), 1);
}

struct Malformed {
  const char* body;
  const char* culprit;
};

TEST(R_SSE_12, AnErrorNamesTheWrongKey) {
  const Malformed cases[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "not a JSON object"},
      {"{}", "type"},
      {R"({"type":""})", "type"},
      {R"({"type":7})", "type"},
      {R"({"type":"a b"})", "type"},
      {R"({"type":"hello"})", "reserved"},
      {R"({"type":"a","project_id":1.5})", "project_id"},
      {R"({"type":"a","session_id":"a/b"})", "session_id"},
      {R"({"type":"a","text":1})", "text"},
      {R"({"type":"a","colour":1})", "colour"},
      {R"({"type":"a"} x)", "not JSON"},
      {"{\"type\":\"a\",\"text\":\"\xff\"}", "not JSON"},
  };
  for (const auto& [body, culprit] : cases) {
    const auto event = parse_publication(body);
    ASSERT_FALSE(event.has_value()) << body;
    EXPECT_EQ(event.error().kind, ErrorKind::kInvalidEvent);
    EXPECT_NE(event.error().message.find(culprit), std::string::npos) << event.error().message;
  }
}

TEST(R_SSE_12, TypesOfOrielsOwnEventsAreReserved) {
  for (const std::string type :
       {"hello", "gap", "bye", "audit", "session_event", "session_created", "session_ended",
        "state_transition", "turn_created", "turn_updated", "turn_detected", "agent_silence",
        "permission_requested", "permission_resolved", "message", "tool_call", "completion"}) {
    const auto event = parse_publication(R"({"type":")" + type + R"("})");
    ASSERT_FALSE(event.has_value()) << type;
    EXPECT_NE(event.error().message.find("reserved"), std::string::npos) << type;
  }
  EXPECT_TRUE(parse_publication(R"({"type":"session"})").has_value());
}

TEST(R_SSE_12, NestingIsBounded) {
  const std::string deep =
      R"({"type":"a","data":)" + std::string(1000, '[') + std::string(1000, ']') + "}";
  EXPECT_FALSE(parse_publication(deep).has_value());
}

}  // namespace
}  // namespace oriel
