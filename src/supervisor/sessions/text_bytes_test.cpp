#include "supervisor/sessions/text_bytes.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr std::size_t kBytes = 100'000;
const std::string kText(kBytes, 'x');

std::size_t bytes_of(EventPayload payload) {
  SessionEvent event;
  event.payload = std::move(payload);
  return text_bytes(event);
}

TEST(TextBytes, CountTheTextOfEvents) {
  EXPECT_GE(bytes_of(event::AssistantDelta{.number = 1, .text = kText}), kBytes);
  EXPECT_GE(bytes_of(event::ToolCall{.id = {}, .name = {}, .input = kText}), kBytes);
  event::ToolResult result;
  result.output = kText;
  EXPECT_GE(bytes_of(result), kBytes);
  EXPECT_EQ(bytes_of(event::StatusChanged{}), 0U);
}

TEST(TextBytes, CountTurnsAndWhatPermissionsShow) {
  Turn turn;
  turn.text = kText;
  EXPECT_GE(text_bytes(turn), kBytes);
  event::TurnCreated created;
  created.turn = turn;
  EXPECT_GE(bytes_of(created), kBytes);

  const boost::json::value input{{"file", {"a", kText}}};
  event::PermissionRequested requested;
  requested.permission.asked.input = input;
  EXPECT_GE(bytes_of(requested), kBytes);
  PermissionQuestion asked;
  asked.input = input;
  Turn question;
  question.data = asked;
  EXPECT_GE(text_bytes(question), kBytes);
}

TEST(TextBytes, CountTheTextOfAnAgentsEvents) {
  const boost::json::value input{{"content", kText}};
  PermissionAsked asked;
  asked.input = input;
  const std::vector<AgentEvent> events = {
      TextDelta{.message_id = "m", .text = kText}, ThoughtDelta{.text = kText},
      ToolCalled{.id = "t", .name = "write", .input = input},
      ToolFinished{.id = "t", .is_ok = true, .output = kText}, asked};
  EXPECT_GE(text_bytes(events), events.size() * kBytes);
}

}  // namespace
}  // namespace oriel
