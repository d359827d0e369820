#include "session/agent_redactor.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

const std::string kSecret = "swordfish-42";
const std::string kMask = "[redacted:PASSWORD]";

AgentRedactor make_redactor() {
  return AgentRedactor(std::make_shared<const Redactor>(
      std::vector<SecretValue>{{.name = "PASSWORD", .value = kSecret}}));
}

TextDelta piece(std::string text, std::string message_id = "m") {
  return {.message_id = std::move(message_id), .text = std::move(text)};
}

// All text that the events show, in their order.
std::string shown(const std::vector<AgentEvent>& events) {
  std::string text;
  for (const AgentEvent& event : events) {
    if (const auto* const delta = std::get_if<TextDelta>(&event)) text += delta->text;
    if (const auto* const delta = std::get_if<ThoughtDelta>(&event)) text += delta->text;
    if (std::holds_alternative<ToolFinished>(event)) text += "|";
  }
  return text;
}

TEST(R_TRUTH_3, SecretSplitOverTwoDeltasIsNeverShown) {
  const std::string text = "it is " + kSecret + "!";
  for (std::size_t split = 0; split <= text.size(); ++split) {
    AgentRedactor redactor = make_redactor();
    std::string seen = shown(redactor.mask({piece(text.substr(0, split))}));
    seen += shown(redactor.mask({piece(text.substr(split))}));
    seen += shown(redactor.release());
    EXPECT_EQ(seen, "it is " + kMask + "!") << split;
  }
}

TEST(R_TRUTH_3, SecretSplitOverThoughtsIsNeverShown) {
  AgentRedactor redactor = make_redactor();
  EXPECT_EQ(shown(redactor.mask({ThoughtDelta{.text = "so: sword"}})), "so: ");
  EXPECT_EQ(shown(redactor.mask({ThoughtDelta{.text = "fish-42."}})), kMask + ".");
}

TEST(R_TRUTH_3, HeldTextComesBeforeTheNextEvent) {
  AgentRedactor redactor = make_redactor();
  const ToolFinished tool{.id = "t", .is_ok = true, .output = kSecret};
  const auto events = redactor.mask({piece("the sword"), tool, piece("s")});
  EXPECT_EQ(shown(events), "the sword|");
  EXPECT_EQ(std::get<ToolFinished>(events[2]).output, kMask);
  EXPECT_EQ(shown(redactor.release()), "s");
}

TEST(R_TRUTH_3, SecretAroundAnotherEventIsNeverShownWhole) {
  const ToolFinished tool{.id = "t", .is_ok = true, .output = ""};
  for (std::size_t split = 1; split < kSecret.size(); ++split) {
    AgentRedactor redactor = make_redactor();
    std::string seen = shown(redactor.mask({piece("it is " + kSecret.substr(0, split)), tool}));
    seen += shown(redactor.mask({piece(kSecret.substr(split) + "!"), tool}));
    EXPECT_TRUE(seen.ends_with("|" + kMask + "!|")) << seen;
  }
}

TEST(R_TRUTH_3, TextAroundOtherEventsIsShownOnce) {
  AgentRedactor redactor = make_redactor();
  const ToolFinished tool{.id = "t", .is_ok = true, .output = ""};
  std::string seen = shown(redactor.mask({piece("a sword"), tool, piece("fi"), tool, tool}));
  EXPECT_EQ(seen, "a sword|fi||");
  seen = shown(redactor.mask({piece("ghting sword"), tool, piece("s."), TaskEnded{}}));
  EXPECT_EQ(seen, "ghting sword|s.");
}

TEST(R_TRUTH_3, AnotherMessageDoesNotContinueAnInterruptedOne) {
  AgentRedactor redactor = make_redactor();
  EXPECT_EQ(shown(redactor.mask({piece("sword"), TaskEnded{}, piece("fish-42")})), "swordfish-42");
}

TEST(R_TRUTH_3, JoinedTextIsMaskedAgain) {
  SessionStep step;
  const auto add = [&](EventPayload payload) {
    step.events.push_back({.session_id = "s",
                           .project_id = {},
                           .task_id = {},
                           .timestamp = {},
                           .payload = std::move(payload)});
  };
  event::AssistantMessage message;
  message.text = kSecret;
  event::Completion completion;
  completion.text = kSecret;
  add(message);
  add(completion);
  for (SessionEvent& event : step.events)
    mask_joined(event, *make_redactor().rules());
  EXPECT_EQ(step.events[0].get_if<event::AssistantMessage>()->text, kMask);
  EXPECT_EQ(step.events[1].get_if<event::Completion>()->text, kMask);
}

TEST(R_TRUTH_3, InterruptedSecretIsMasked) {
  AgentRedactor redactor = make_redactor();
  const auto events = redactor.mask({piece("swordfish"), TaskEnded{}});
  EXPECT_EQ(shown(events), kMask);
}

TEST(R_TRUTH_3, MessagesDoNotMix) {
  AgentRedactor redactor = make_redactor();
  EXPECT_EQ(shown(redactor.mask({piece("sword", "a"), piece("fish-42", "b")})), "fish-42");
  EXPECT_EQ(shown(redactor.mask({piece("fish-42", "a")})), kMask);
}

TEST(R_TRUTH_3, WholeMessageReplacesWhatIsHeld) {
  AgentRedactor redactor = make_redactor();
  const auto events = redactor.mask(
      {piece("sword"), TextFinished{.message_id = "m", .text = kSecret}, TaskEnded{}});
  ASSERT_EQ(events.size(), 2U) << "nothing held is shown after it";
  EXPECT_EQ(std::get<TextFinished>(events[0]).text, kMask);
}

TEST(R_TRUTH_3, DroppedTextIsNotShown) {
  AgentRedactor redactor = make_redactor();
  redactor.mask({piece("sword", "a"), piece("sword", "b"), TextDropped{.message_id = "a"}});
  EXPECT_EQ(shown(redactor.release()), "sword");
  redactor.mask({piece("sword", "a"), piece("sword", "b"), TextDropped{.message_id = ""}});
  EXPECT_TRUE(redactor.release().empty());
}

TEST(R_TRUTH_3, UsageDoesNotReleaseHeldText) {
  AgentRedactor redactor = make_redactor();
  const auto events = redactor.mask({piece("sword"), UsageReported{}, piece("fish-42")});
  EXPECT_EQ(shown(events), kMask);
}

TEST(R_TRUTH_3, WhatPeopleSayIsMaskedForReadersAndNotForTheAgent) {
  const AgentRedactor redactor = make_redactor();
  Turn turn;
  turn.text = kSecret;
  SessionStep step;
  step.events.push_back(
      {.session_id = "s",
       .project_id = {},
       .task_id = {},
       .timestamp = {},
       .payload = event::UserMessage{.text = "use " + kSecret, .request_id = {}, .origin = {}}});
  step.turns = {turn};
  step.commands = {PromptAgent{.text = "use " + kSecret}};
  redactor.mask(step);
  EXPECT_EQ(step.events[0].get_if<event::UserMessage>()->text, "use " + kMask);
  EXPECT_EQ(step.turns[0].text, kMask);
  EXPECT_EQ(std::get<PromptAgent>(step.commands[0]).text, "use " + kSecret);
}

TEST(AgentRedactor, WithoutARedactorEverythingPasses) {
  AgentRedactor redactor(nullptr);
  EXPECT_EQ(shown(redactor.mask({piece(kSecret)})), kSecret);
  EXPECT_EQ(redactor.mask(kSecret), kSecret);
  EXPECT_TRUE(redactor.release().empty());
}

}  // namespace
}  // namespace oriel
