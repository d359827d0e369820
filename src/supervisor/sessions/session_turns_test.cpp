#include "supervisor/sessions/session_turns.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;
using Lines = std::vector<std::string>;

const WallTime kTime{std::chrono::seconds(1'794'000'000)};

SessionEvent event_of(std::string type, std::string role, std::string text) {
  SessionEvent event;
  event.type = std::move(type);
  event.role = std::move(role);
  event.text = std::move(text);
  event.session_id = "ses_1";
  event.task_id = "task_1";
  event.timestamp = kTime;
  return event;
}

SessionEvent said(std::string text, int number) {
  SessionEvent event = event_of("message", "assistant", std::move(text));
  event.data = json::object{{"message", number}};
  return event;
}

SessionEvent completed(std::string text, std::string status, json::object data = {}) {
  SessionEvent event = event_of("completion", "assistant", std::move(text));
  event.status = std::move(status);
  event.data = std::move(data);
  return event;
}

SessionEvent permission(std::string feed_type, std::string status, json::object more = {}) {
  SessionEvent event = event_of("permission", "", "run ls?");
  event.feed_type = std::move(feed_type);
  event.status = std::move(status);
  json::object data = {
      {"permission_id", "perm_1"},
      {"options", json::array{{{"option_id", "o1"}, {"label", "Yes, once"}, {"kind", "x"}}}}};
  for (const auto& [key, value] : more)
    data[key] = value;
  event.data = std::move(data);
  return event;
}

class SessionTurnsTest : public testing::Test {
 protected:
  // "user command task_1: hello" of each turn that was told of, and of each change.
  Lines tell(std::vector<SessionEvent> events) {
    const ToldTurns told = turns_.tell(std::move(events), next_index_);
    Lines lines;
    for (const SessionEvent& event : told.events) {
      ++next_index_;
      const bool is_update = event.feed_type == "turn_updated";
      if (event.feed_type != "turn_created" && !is_update) continue;
      const json::object& data = event.data->as_object();
      std::string line = is_update ? "updated " : "";
      for (const char* key : {"actor", "intent", "task_id"})
        line += std::string(data.at(key).as_string()) + " ";
      lines.push_back(line + "| " + event.text);
      if (is_update) continue;
      // Its number is that of its event.
      EXPECT_EQ(data.at("ordinal").to_number<std::int64_t>(), next_index_);
    }
    for (const Document& document : told.documents)
      documents_[document.key] = parse_turn_document(document.value).value();
    return lines;
  }

  SessionTurns turns_{"ses_1", "web"};
  std::int64_t next_index_ = 0;
  std::map<std::string, Turn> documents_;
};

TEST_F(SessionTurnsTest, ATurnNamesTheIndexOfTheMessageWithItsText) {
  const ToldTurns told =
      turns_.tell({event_of("message", "user", "hello"), said("I lo", 1), said("I look", 1),
                   said("Done", 2), completed("Done", "completed")},
                  40);
  std::vector<std::int64_t> indexes;
  for (const SessionEvent& event : told.events)
    if (event.feed_type == "turn_created")
      indexes.push_back(event.data->at("message_index").to_number<std::int64_t>());
  EXPECT_EQ(indexes, (std::vector<std::int64_t>{40, 42, 43}));
}

TEST_F(SessionTurnsTest, ACompletionWithTextOfItsOwnNamesNoMessage) {
  const ToldTurns told = turns_.tell({completed("", "failed", {{"detail", "it died"}})}, 0);
  EXPECT_FALSE(told.events.back().data->as_object().contains("message_index"));
}

TEST_F(SessionTurnsTest, AMessageIsTheCommandOfItsTask) {
  EXPECT_EQ(tell({event_of("message", "user", "hello")}), Lines{"user command task_1 | hello"});
  const Turn& turn = documents_.at("turns/ses_1/turn_1");
  EXPECT_EQ(turn.project_id, "web");
  EXPECT_EQ(turn.timestamp, kTime);
  EXPECT_EQ(turn.source, TurnSource::kMessage);
}

TEST_F(SessionTurnsTest, WhatWasSpokenOrSentWithFilesIsOneTurnThatSaysSo) {
  const TurnOrigin origin{
      .source = TurnSource::kUpload,
      .said_at = kTime - std::chrono::seconds(3),
      .files = {{.file_id = "f1", .name = "a.png", .type = "image/png", .size = 12}}};
  SessionEvent event = event_of("message", "user", "look");
  event.data = origin_of(origin);
  const ToldTurns told = turns_.tell({event}, 0);
  ASSERT_EQ(told.events.size(), 2U);
  EXPECT_EQ(told.events.back().feed_type, "turn_created");
  EXPECT_EQ(told.events.back().type, "system");  // the message has told its text
  EXPECT_EQ(told.events.back().timestamp, *origin.said_at);
  ASSERT_EQ(told.documents.size(), 1U);
  const Turn turn = parse_turn_document(told.documents.front().value).value();
  EXPECT_EQ(turn.turn_id, "turn_1");
  EXPECT_EQ(turn.source, TurnSource::kUpload);
  EXPECT_EQ(turn.timestamp, *origin.said_at);
  EXPECT_EQ(turn.timestamp_source, TimestampSource::kUser);
  EXPECT_EQ(turn.files, origin.files);
}

TEST_F(SessionTurnsTest, AnAnswerThatWasSpokenIsTheTurnThatItsSenderWasTold) {
  tell({permission("permission_requested", "pending")});
  json::object said = origin_of({.source = TurnSource::kVoice, .said_at = {}, .files = {}});
  said["turn_id"] = "turn_7";
  said["text"] = "blue";
  EXPECT_EQ(tell({permission("permission_resolved", "answered",
                             {{"answers", json::array{"blue, and more"}}, {"said", said}})})
                .back(),
            "user answer task_1 | blue");
  const Turn& turn = documents_.at("turns/ses_1/turn_7");
  EXPECT_EQ(turn.source, TurnSource::kVoice);
  EXPECT_EQ(turn.timestamp_source, TimestampSource::kServer);
  EXPECT_EQ(turn.timestamp, kTime);
}

TEST_F(SessionTurnsTest, WhatTheAgentSaysOnTheWayIsProgressAndItsLastWordsAreTheCompletion) {
  EXPECT_EQ(tell({said("I lo", 1), said("I look.", 1)}), Lines{});
  EXPECT_EQ(tell({event_of("tool_call", "", "{}"), said("Don", 2)}),
            Lines{"agent progress task_1 | I look."});
  EXPECT_EQ(tell({said("Done.", 2), completed("Done.", "completed")}),
            Lines{"agent completion task_1 | Done."});
}

TEST_F(SessionTurnsTest, ATurnThatFailedSaysWhy) {
  EXPECT_EQ(tell({said("I look.", 1), completed("", "error", {{"detail", "the agent died"}})}),
            (Lines{"agent progress task_1 | I look.", "agent completion task_1 | the agent died"}));
}

TEST_F(SessionTurnsTest, AQuestionIsAnsweredByAPerson) {
  EXPECT_EQ(tell({permission("permission_requested", "pending")}),
            Lines{"agent question task_1 | run ls?"});
  EXPECT_EQ(tell({permission("permission_resolved", "allowed",
                             {{"option_id", "o1"}, {"by", "local"}, {"answers", json::array{}}})}),
            (Lines{"updated agent question task_1 | run ls?", "user answer task_1 | Yes, once"}));
  ASSERT_EQ(documents_.size(), 2U);
  for (const auto& [key, turn] : documents_)
    EXPECT_EQ(turn.data.at("status"), "allowed");
}

TEST_F(SessionTurnsTest, AnswersInWordsAreTheAnswer) {
  tell({permission("permission_requested", "pending")});
  EXPECT_EQ(tell({permission("permission_resolved", "answered",
                             {{"option_id", ""}, {"answers", json::array{"red", "blue"}}})})
                .back(),
            "user answer task_1 | red\nblue");
}

TEST_F(SessionTurnsTest, WhatNobodyAnsweredHasNoAnswer) {
  tell({permission("permission_requested", "pending")});
  EXPECT_EQ(tell({permission("permission_resolved", "expired")}),
            Lines{"updated agent question task_1 | run ls?"});
}

TEST_F(SessionTurnsTest, WhatARuleDecidesIsNoTurn) {
  EXPECT_EQ(tell({permission("permission_resolved", "allowed", {{"by", "rule"}})}), Lines{});
}

TEST_F(SessionTurnsTest, QuestionsOfAProcessThatIsNoMoreAreDismissed) {
  tell({permission("permission_requested", "pending"), event_of("message", "user", "x")});
  std::vector<Turn> stored;
  for (const auto& [key, turn] : documents_)
    stored.push_back(turn);
  const ToldTurns told = SessionTurns::dismiss(stored);
  ASSERT_EQ(told.events.size(), 1U);
  EXPECT_EQ(told.events[0].feed_type, "turn_updated");
  EXPECT_EQ(parse_turn_document(told.documents.at(0).value)->data.at("status"), "withdrawn");
}

TEST_F(SessionTurnsTest, PiecesOfTextPassThrough) {
  const ToldTurns told = turns_.tell({event_of("delta", "assistant", "x")}, 0);
  EXPECT_EQ(told.events.size(), 1U);
  EXPECT_TRUE(told.documents.empty());
}

}  // namespace
}  // namespace oriel
