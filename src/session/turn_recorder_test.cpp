#include "session/turn_recorder.h"

#include "base/event/event_view_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;
using Lines = std::vector<std::string>;

const WallTime kTime{std::chrono::seconds(1'794'000'000)};

SessionEvent event_with(EventPayload payload) {
  return {.session_id = "ses_1",
          .project_id = "web",
          .task_id = "task_1",
          .timestamp = kTime,
          .payload = std::move(payload)};
}

SessionEvent typed(std::string text, std::optional<TurnOrigin> origin = {}) {
  return event_with(
      event::UserMessage{.text = std::move(text), .request_id = {}, .origin = std::move(origin)});
}

SessionEvent said(std::string text, int number) {
  return event_with(event::AssistantMessage{.number = number, .text = std::move(text)});
}

SessionEvent completed(std::string text, TaskEnd outcome, std::string detail = {}) {
  return event_with(event::Completion{.outcome = outcome,
                                      .text = std::move(text),
                                      .detail = std::move(detail),
                                      .usage = {},
                                      .duration = {}});
}

PendingPermission to_run_ls() {
  PendingPermission permission;
  permission.permission_id = "perm_1";
  permission.asked.title = "run ls?";
  permission.asked.options = {{.id = "o1", .label = "Yes, once", .kind = OptionKind::kAllowOnce}};
  return permission;
}

SessionEvent asked() {
  return event_with(event::PermissionRequested{.permission = to_run_ls()});
}

SessionEvent resolved(PermissionStatus status, PermissionAnswer answer = {},
                      Decider by = {.principal = "ann"}, std::optional<event::Reply> reply = {}) {
  return event_with(event::PermissionResolved{.permission = to_run_ls(),
                                              .status = status,
                                              .by = std::move(by),
                                              .answer = std::move(answer),
                                              .reply = std::move(reply)});
}

class TurnRecorderTest : public testing::Test {
 protected:
  SessionStep record(std::vector<SessionEvent> events, std::int64_t first_index = 0) {
    SessionStep step;
    step.events = std::move(events);
    turns_.record(step, first_index);
    return step;
  }

  // "user command task_1 | hello" of each new turn, and of each change.
  Lines lines(std::vector<SessionEvent> events) {
    const SessionStep step = record(std::move(events), next_index_);
    Lines lines;
    for (const EventView& event : views_of(step.events)) {
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
    for (const Turn& turn : step.turns)
      stored_[turn.turn_id] = turn;
    return lines;
  }

  TurnRecorder turns_{"ses_1", "web"};
  std::int64_t next_index_ = 0;
  std::map<std::string, Turn> stored_;
};

TEST_F(TurnRecorderTest, ATurnNamesTheIndexOfTheMessageWithItsText) {
  const SessionStep step = record({typed("hello"), said("I lo", 1), said("I look", 1),
                                   said("Done", 2), completed("Done", TaskEnd::kCompleted)},
                                  40);
  std::vector<std::int64_t> indexes;
  for (const SessionEvent& event : step.events)
    if (const auto* const created = event.get_if<event::TurnCreated>())
      indexes.push_back(created->message_index.value());
  EXPECT_EQ(indexes, (std::vector<std::int64_t>{40, 42, 43}));
}

TEST_F(TurnRecorderTest, ACompletionWithTextOfItsOwnNamesNoMessage) {
  const SessionStep step = record({completed("", TaskEnd::kError, "it died")});
  EXPECT_FALSE(view_of(step.events.back()).data->as_object().contains("message_index"));
}

TEST_F(TurnRecorderTest, AMessageIsTheCommandOfItsTask) {
  EXPECT_EQ(lines({typed("hello")}), Lines{"user command task_1 | hello"});
  const Turn& turn = stored_.at("turn_1");
  EXPECT_EQ(turn.project_id, "web");
  EXPECT_EQ(turn.timestamp, kTime);
  EXPECT_EQ(turn.source, TurnSource::kMessage);
}

TEST_F(TurnRecorderTest, AMessageThatWasNotTypedIsOneTurnWithItsOrigin) {
  const TurnOrigin origin{
      .source = TurnSource::kUpload,
      .said_at = kTime - std::chrono::seconds(3),
      .files = {{.file_id = "f1", .name = "a.png", .type = "image/png", .size = 12}}};
  const SessionStep step = record({typed("look", origin)});
  ASSERT_EQ(step.events.size(), 2U);
  const EventView created = view_of(step.events.back());
  EXPECT_EQ(created.feed_type, "turn_created");
  EXPECT_EQ(created.type, "system");  // the message has shown its text
  EXPECT_EQ(created.timestamp, *origin.said_at);
  ASSERT_EQ(step.turns.size(), 1U);
  const Turn& turn = step.turns.front();
  EXPECT_EQ(turn.turn_id, "turn_1");
  EXPECT_EQ(turn.source, TurnSource::kUpload);
  EXPECT_EQ(turn.timestamp, *origin.said_at);
  EXPECT_EQ(turn.timestamp_source, TimestampSource::kUser);
  EXPECT_EQ(turn.files, origin.files);
}

TEST_F(TurnRecorderTest, AReplyIsTheTurnWhoseIdItsSenderGot) {
  lines({asked()});
  const event::Reply reply{
      .turn_id = "turn_7",
      .text = "blue",
      .request_id = {},
      .origin = TurnOrigin{.source = TurnSource::kVoice, .said_at = {}, .files = {}}};
  EXPECT_EQ(
      lines({resolved(PermissionStatus::kAnswered, {.option_id = {}, .answers = {"blue, and more"}},
                      {.principal = "ann"}, reply)})
          .back(),
      "user answer task_1 | blue");
  const Turn& turn = stored_.at("turn_7");
  EXPECT_EQ(turn.source, TurnSource::kVoice);
  EXPECT_EQ(turn.timestamp_source, TimestampSource::kServer);
  EXPECT_EQ(turn.timestamp, kTime);
}

TEST_F(TurnRecorderTest, MessagesOnTheWayAreProgressAndTheLastOneIsTheCompletion) {
  EXPECT_EQ(lines({said("I lo", 1), said("I look.", 1)}), Lines{});
  EXPECT_EQ(
      lines({event_with(event::ToolCall{.id = "t", .name = "ls", .input = "{}"}), said("Don", 2)}),
      Lines{"agent progress task_1 | I look."});
  EXPECT_EQ(lines({said("Done.", 2), completed("Done.", TaskEnd::kCompleted)}),
            Lines{"agent completion task_1 | Done."});
}

TEST_F(TurnRecorderTest, ACompletionThatFailedGivesItsReason) {
  EXPECT_EQ(lines({said("I look.", 1), completed("", TaskEnd::kError, "the agent died")}),
            (Lines{"agent progress task_1 | I look.", "agent completion task_1 | the agent died"}));
}

TEST_F(TurnRecorderTest, AQuestionIsAnsweredByAPerson) {
  EXPECT_EQ(lines({asked()}), Lines{"agent question task_1 | run ls?"});
  EXPECT_EQ(lines({resolved(PermissionStatus::kAllowed, {.option_id = "o1", .answers = {}})}),
            (Lines{"updated agent question task_1 | run ls?", "user answer task_1 | Yes, once"}));
  ASSERT_EQ(stored_.size(), 2U);
  for (const auto& [key, turn] : stored_)
    EXPECT_EQ(to_json(turn.data).at("status"), "allowed");
}

TEST_F(TurnRecorderTest, AnswersInWordsAreTheAnswer) {
  lines({asked()});
  EXPECT_EQ(
      lines({resolved(PermissionStatus::kAnswered, {.option_id = {}, .answers = {"red", "blue"}})})
          .back(),
      "user answer task_1 | red\nblue");
}

TEST_F(TurnRecorderTest, AQuestionThatNobodyAnsweredHasNoAnswer) {
  lines({asked()});
  EXPECT_EQ(lines({resolved(PermissionStatus::kExpired)}),
            Lines{"updated agent question task_1 | run ls?"});
}

TEST_F(TurnRecorderTest, ADecisionOfARuleIsNoTurn) {
  EXPECT_EQ(lines({resolved(PermissionStatus::kAllowed, {}, {.kind = DeciderKind::kRule})}),
            Lines{});
}

TEST_F(TurnRecorderTest, QuestionsOfAProcessThatHasGoneCanBeResolved) {
  lines({asked(), typed("x")});
  std::vector<Turn> turns;
  for (const auto& [key, turn] : stored_)
    turns.push_back(turn);
  TurnRecorder next("ses_1", "project");
  const std::vector<PendingPermission> open = next.restore(turns);
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].asked.title, "run ls?");
  SessionStep step;
  step.events.push_back(event_with(event::PermissionResolved{.permission = open[0],
                                                             .status = PermissionStatus::kWithdrawn,
                                                             .by = {.kind = DeciderKind::kRestart},
                                                             .answer = {},
                                                             .reply = {}}));
  next.record(step, 10);
  ASSERT_EQ(step.events.size(), 2U);
  EXPECT_EQ(step.events[1].feed_type(), "turn_updated");
  EXPECT_EQ(to_json(step.turns.at(0).data).at("status"), "withdrawn");
}

TEST_F(TurnRecorderTest, DeltasMakeNoTurns) {
  const SessionStep step = record({event_with(event::AssistantDelta{.number = 1, .text = "x"})});
  EXPECT_EQ(step.events.size(), 1U);
  EXPECT_TRUE(step.turns.empty());
}

}  // namespace
}  // namespace oriel
