#include "base/event/body_text.h"

#include "base/event/event_json.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string_view text_of_body(std::string_view body) {
  const TextSpan span = text_span(body);
  return body.substr(span.offset, span.size);
}

std::string body_of(EventPayload payload) {
  SessionEvent event;
  event.session_id = "s";
  event.payload = std::move(payload);
  return serialize_body(event);
}

TEST(BodyText, IsTheEscapedTextOfASerializedEvent) {
  const std::string body =
      body_of(event::AssistantMessage{.number = 1, .text = "a \"b\"\\\n\u2603"});
  EXPECT_EQ(text_of_body(body), R"(a \"b\"\\\n)"
                                "\u2603");
}

TEST(BodyText, IsFoundBehindATypeOfAnyCharacters) {
  const event::Custom custom{.type = R"(a","text":"b\)", .text = "the text", .data = {}};
  EXPECT_EQ(text_of_body(body_of(custom)), "the text");
}

TEST(BodyText, OfAnEventWithoutTextIsEmpty) {
  EXPECT_EQ(text_of_body(body_of(event::AssistantMessage{.number = 1, .text = ""})), "");
}

TEST(BodyText, OfAnotherBodyIsEmpty) {
  for (const char* body :
       {"", R"("text":1})", R"("type":"a)", R"("type":"a"})", R"("type":"a","text":"b)",
        R"("type":"a","text":"b\")", R"("type":1,"text":"b"})"}) {
    EXPECT_EQ(text_span(body), TextSpan{}) << body;
  }
}

}  // namespace
}  // namespace oriel
