#include "base/event/turn.h"

#include "base/event/event_view_testing.h"
#include "base/event/turn_event.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

Turn full_turn() {
  Turn turn;
  turn.turn_id = "turn_1";
  turn.session_id = "agent";
  turn.project_id = "shop";
  turn.task_id = "task_1";
  turn.actor = TurnActor::kAgent;
  turn.intent = TurnIntent::kQuestion;
  turn.text = "Which \"one\"?\n\xC3\xA9";
  turn.timestamp = WallTime(std::chrono::milliseconds(1'794'777'567'042));
  turn.timestamp_source = TimestampSource::kTranscript;
  turn.source = TurnSource::kReconciliation;
  turn.entry_id = "uuid";
  turn.ordinal = 17;
  turn.files = {{.file_id = "f1", .name = "a.png", .type = "image/png", .size = 12}};
  turn.data =
      ToolQuestion{.tool_name = "AskUserQuestion",
                   .tool_call_id = "t1",
                   .input = {{"n", 1}},
                   .questions = {{.text = "Which?", .choices = {"a"}, .takes_many = false}}};
  return turn;
}

TEST(Turn, ADocumentIsReadBackAsItWas) {
  EXPECT_EQ(parse_turn_document(to_document(full_turn())).value(), full_turn());
  EXPECT_EQ(parse_turn_document(to_document(Turn{})).value(), Turn{});
}

TEST(Turn, WhatIsNotADocumentIsAnError) {
  for (const char* text : {"", "{}", "[]", "null", R"({"turn_id":1})"})
    EXPECT_EQ(parse_turn_document(text).error().kind, ErrorKind::kBadDocument) << text;
  json::object document = json::parse(to_document(full_turn())).as_object();
  document["intent"] = "to please";
  EXPECT_FALSE(parse_turn_document(json::serialize(document)));
}

TEST(Turn, EveryNameIsReadBack) {
  for (const auto intent : {TurnIntent::kCommand, TurnIntent::kAnswer, TurnIntent::kQuestion,
                            TurnIntent::kProgress, TurnIntent::kCompletion, TurnIntent::kEndOfTask})
    EXPECT_EQ(parse_turn_intent(name_of(intent)), intent);
  for (const auto source : {TurnSource::kMessage, TurnSource::kHook, TurnSource::kVoice,
                            TurnSource::kUpload, TurnSource::kReconciliation, TurnSource::kImport})
    EXPECT_EQ(parse_turn_source(name_of(source)), source);
  EXPECT_EQ(name_of(TurnIntent::kEndOfTask), "end_of_task");
  EXPECT_EQ(parse_turn_actor("agent"), TurnActor::kAgent);
  EXPECT_EQ(parse_timestamp_source("user"), TimestampSource::kUser);
  EXPECT_EQ(parse_turn_actor("nobody"), std::nullopt);
}

TEST(TurnKey, IsByTimeAndThenByNumber) {
  const auto key = [](int milliseconds, std::uint64_t ordinal) {
    return TurnKey{.timestamp = WallTime(std::chrono::milliseconds(milliseconds)),
                   .ordinal = ordinal};
  };
  EXPECT_LT(key(1, 9), key(2, 1));
  EXPECT_LT(key(2, 1), key(2, 2));
}

TEST(TurnKey, IsACursorInText) {
  const TurnKey key = full_turn().key();
  EXPECT_EQ(format_turn_key(key), "1794777567042-17");
  EXPECT_EQ(parse_turn_key("1794777567042-17").value(), key);
  for (const char* text : {"", "-", "1-", "-1", "x-1", "1-x", "1", "1-1 ", "99999999999999999-1"})
    EXPECT_EQ(parse_turn_key(text).error().kind, ErrorKind::kInvalidCursor) << text;
}

TEST(R_TURN_2, ACreatedTurnHasItsStoredTime) {
  const EventView event = view_of(turn_created_event(full_turn()));
  EXPECT_EQ(event.feed_type, "turn_created");
  EXPECT_EQ(event.type, "message");
  EXPECT_EQ(event.session_id, "agent");
  EXPECT_EQ(event.project_id, "shop");
  EXPECT_EQ(event.task_id, "task_1");
  EXPECT_EQ(event.text, full_turn().text);
  EXPECT_EQ(event.timestamp, full_turn().timestamp);
  const json::object& data = event.data->as_object();
  EXPECT_EQ(data.at("agent_id"), "agent");
  EXPECT_EQ(data.at("project_id"), "shop");
  EXPECT_EQ(data.at("actor"), "agent");
  EXPECT_EQ(data.at("intent"), "question");
  EXPECT_EQ(data.at("task_id"), "task_1");
  EXPECT_EQ(data.at("turn_id"), "turn_1");
  EXPECT_EQ(data.at("timestamp"), "2026-11-15T21:19:27.042Z");
}

TEST(R_TURN_2, ATurnWhoseMessageWasShownIsNoSecondMessage) {
  const EventView event = view_of(turn_created_event(full_turn(), 4));
  EXPECT_EQ(event.type, "system");
  EXPECT_EQ(event.data->at("message_index"), 4);
}

TEST(R_TURN_3, ACorrectionHasTheOldTimeAndTheNew) {
  const WallTime old = full_turn().timestamp + std::chrono::milliseconds(8);
  const EventView event =
      view_of(turn_updated_event(full_turn(), TurnChange::kTimestampCorrection, old));
  const json::object& data = event.data->as_object();
  EXPECT_EQ(event.feed_type, "turn_updated");
  EXPECT_EQ(event.timestamp, full_turn().timestamp);
  EXPECT_EQ(data.at("update_type"), "timestamp_correction");
  EXPECT_EQ(data.at("timestamp"), "2026-11-15T21:19:27.042Z");
  EXPECT_EQ(data.at("old_timestamp"), "2026-11-15T21:19:27.050Z");
  EXPECT_EQ(data.at("agent_id"), "agent");
}

TEST(R_TURN_5, ATransitionSaysFromWhereToWhereAndWhy) {
  const EventView event =
      view_of({.session_id = "agent",
               .project_id = "shop",
               .task_id = "task_1",
               .timestamp = full_turn().timestamp,
               .payload = event::StateTransition{.from = WorkState::kCommanded,
                                                 .to = WorkState::kProcessing,
                                                 .trigger = StateTrigger::kWork}});
  EXPECT_EQ(event.feed_type, "state_transition");
  const json::object expected = {{"agent_id", "agent"},
                                 {"project_id", "shop"},
                                 {"task_id", "task_1"},
                                 {"from_state", "commanded"},
                                 {"to_state", "processing"},
                                 {"trigger", "work"},
                                 {"timestamp", "2026-11-15T21:19:27.042Z"}};
  EXPECT_EQ(*event.data, json::value(expected));
}

}  // namespace
}  // namespace oriel
