#include "search/search_entry.h"

#include "base/event/turn_event.h"
#include "journal/to_record.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Not;

template <class Payload>
Record record_of(Payload payload) {
  SessionEvent event;
  event.session_id = "ses_1";
  event.task_id = "task_1";
  event.timestamp = WallTime(std::chrono::milliseconds(1'000));
  event.payload = std::move(payload);
  Record record = *to_record(event);
  record.sequence = 7;
  record.index = 5;
  return record;
}

Record record_of(SessionEvent event) {
  Record record = *to_record(event);
  record.sequence = 7;
  record.index = 5;
  return record;
}

Turn turn_of(std::string text) {
  Turn turn;
  turn.turn_id = "turn_1";
  turn.session_id = "ses_1";
  turn.task_id = "task_1";
  turn.actor = TurnActor::kAgent;
  turn.text = std::move(text);
  turn.timestamp = WallTime(std::chrono::milliseconds(900));
  return turn;
}

SearchEntry entry_in(const Record& record) {
  return std::get<SearchEntry>(index_change_of(record).value());
}

TEST(R_SEARCH_1, AnUtteranceIsFoundAsATurnAtTheEventThatShowsIt) {
  const SearchEntry entry = entry_in(record_of(turn_created_event(turn_of("all done"), 3)));
  EXPECT_EQ(entry, (SearchEntry{.sequence = 7,
                                .index = 3,
                                .session_id = "ses_1",
                                .time = WallTime(std::chrono::milliseconds(900)),
                                .kind = SearchKind::kMessage,
                                .actor = TurnActor::kAgent,
                                .task_id = "task_1",
                                .turn_id = "turn_1",
                                .text = "all done"}));
  EXPECT_EQ(entry_in(record_of(turn_created_event(turn_of("seen")))).index, 5);
}

TEST(R_SEARCH_1, GrowingMessagesAndTheirPiecesAreNotIndexed) {
  EXPECT_FALSE(index_change_of(record_of(event::AssistantMessage{.number = 1, .text = "so far"})));
  EXPECT_FALSE(index_change_of(record_of(event::AssistantDelta{.number = 1, .text = "so"})));
  EXPECT_FALSE(index_change_of(record_of(event::ThoughtDelta{.text = "hm"})));
  event::Completion completion;
  completion.text = "done";
  EXPECT_FALSE(index_change_of(record_of(completion)));
}

TEST(R_SEARCH_1, FilesOfATurnAreFoundByName) {
  Turn turn = turn_of("look");
  turn.files = {{.file_id = "f", .name = "report.pdf", .type = "application/pdf", .size = 1}};
  EXPECT_EQ(entry_in(record_of(turn_created_event(turn))).text, "look\nreport.pdf");
}

TEST(R_SEARCH_1, AChangedTurnReplacesItsEntryAndAWithdrawnOneRemovesIt) {
  const auto text =
      index_change_of(record_of(turn_updated_event(turn_of("right"), TurnChange::kText)));
  const auto& replaced = std::get<ReplacedTurn>(text.value());
  EXPECT_EQ(replaced.turn_id, "turn_1");
  EXPECT_EQ(replaced.entry->text, "right");
  const auto gone =
      index_change_of(record_of(turn_updated_event(turn_of("x"), TurnChange::kWithdrawn)));
  EXPECT_FALSE(std::get<ReplacedTurn>(gone.value()).entry);
  EXPECT_FALSE(index_change_of(record_of(turn_updated_event(turn_of("x"), TurnChange::kIntent))));
}

TEST(R_SEARCH_1, AToolCallIsFoundByItsNameAndTheTextsOfItsArguments) {
  const SearchEntry entry = entry_in(record_of(event::ToolCall{
      .id = "c1",
      .name = "Edit",
      .input = R"({"path":"src/a.cpp","lines":[{"new":"int x;"}],"count":3,"ok":true})"}));
  EXPECT_EQ(entry.text, "Edit\nsrc/a.cpp\nint x;");
  EXPECT_EQ(entry.kind, SearchKind::kToolCall);
  EXPECT_EQ(entry.tool_name, "Edit");
  EXPECT_EQ(entry.tool_call_id, "c1");
  EXPECT_EQ(entry_in(record_of(event::ToolCall{.id = "", .name = "sh", .input = "ls {"})).text,
            "sh\nls {");
}

TEST(R_SEARCH_1, ALongArgumentLeavesRoomForOthers) {
  const SearchEntry entry = entry_in(record_of(event::ToolCall{
      .id = "",
      .name = "Write",
      .input = R"({"content":")" + std::string(100'000, 'x') + R"(","path":"a.txt"})"}));
  EXPECT_THAT(entry.text, HasSubstr("a.txt"));
  EXPECT_LE(entry.text.size(), 4096U);
}

TEST(R_SEARCH_1, ResultsAndErrorsAreFound) {
  const SearchEntry result =
      entry_in(record_of(event::ToolResult{.id = "c1", .name = "sh", .output = "exit code 3"}));
  EXPECT_EQ(result.kind, SearchKind::kToolResult);
  EXPECT_EQ(result.text, "exit code 3");
  const SearchEntry error = entry_in(record_of(event::TaskError{.message = "out of memory"}));
  EXPECT_EQ(error.kind, SearchKind::kError);
  EXPECT_EQ(error.index, 5);
}

TEST(R_SEARCH_4, TextIsBoundedAtWholeCharacters) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "é";
  const SearchEntry entry = entry_in(record_of(turn_created_event(turn_of("x" + text))));
  EXPECT_EQ(entry.text.size(), (32U << 10) - 1);
  EXPECT_TRUE(entry.text.ends_with("é"));
  const SearchEntry result =
      entry_in(record_of(event::ToolResult{.id = "", .name = "", .output = text}));
  EXPECT_EQ(result.text.size(), 4096U);
}

TEST(R_SEARCH_3, ControlCharactersCannotForgeAMatch) {
  const SearchEntry entry = entry_in(record_of(event::TaskError{.message = "a\x02"
                                                                           "b\x03\x1b[1m\n\t"}));
  EXPECT_EQ(entry.text, "a b  [1m\n\t");
}

TEST(R_SEARCH_1, EventsWithoutASessionOrTextAreNotIndexed) {
  Record record = record_of(event::TaskError{.message = "x"});
  record.session_id.clear();
  EXPECT_FALSE(index_change_of(record));
  EXPECT_FALSE(index_change_of(record_of(event::TaskError{.message = ""})));
  EXPECT_FALSE(index_change_of(record_of(event::Notice{.text = "note"})));
}

TEST(R_SEARCH_1, OnlyImportedTurnsAreIndexedWithoutAnEvent) {
  Turn turn = turn_of("old words");
  EXPECT_FALSE(entry_of_imported(turn));
  turn.source = TurnSource::kImport;
  const SearchEntry entry = entry_of_imported(turn).value();
  EXPECT_EQ(entry.sequence, kNoSequence);
  EXPECT_EQ(entry.index, -1);
  EXPECT_EQ(entry.text, "old words");
  EXPECT_TRUE(announces_import(record_of(event::SessionImported{})));
  EXPECT_FALSE(announces_import(record_of(event::SessionResumed{})));
}

}  // namespace
}  // namespace oriel
