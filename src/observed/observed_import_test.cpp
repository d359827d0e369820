// An import makes the same turns as observing the agent would have, and one event.

#include "observed/observed_testing.h"
#include "transcript/transcript_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const WallTime kLater = parse_time("2026-11-17T00:00:00Z").value();  // than all recordings

std::vector<TranscriptEntry> entries_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  JsonlSplitter splitter;
  ReadLines read = read_lines(splitter.push(text), std::nullopt, TranscriptFormat::kClaude);
  EXPECT_THAT(read.skipped, IsEmpty()) << file;
  return std::move(read.entries);
}

std::vector<fs::path> recordings() {
  std::vector<fs::path> files;
  for (const auto& each : fs::directory_iterator(fs::path(ORIEL_RECORDINGS) / "transcripts"))
    files.push_back(each.path());
  return files;
}

// Number of entries of a piece, and whether the agent is restored from its documents after each.
struct Pieces {
  std::size_t size = 1;
  bool restarts = false;
};

void import_all(ObservedFixture& fixture, const std::vector<TranscriptEntry>& entries,
                const Pieces& pieces) {
  for (std::size_t first = 0; first < entries.size(); first += pieces.size) {
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = entries.begin() +
                     static_cast<std::ptrdiff_t>(std::min(first + pieces.size, entries.size()));
    fixture.entries({.entries = {begin, end},
                     .position = {.path = "/t/a.jsonl", .inode = 1, .offset = first + 1},
                     .is_import = true},
                    kLater);
    if (pieces.restarts) fixture.restart();
  }
  fixture.store(fixture.agent().end_import(moment_at(kLater)));
}

std::vector<std::string> observed(const std::vector<TranscriptEntry>& entries) {
  ObservedFixture fixture;
  fixture.entries({.entries = entries, .position = {.path = "/t/a.jsonl", .inode = 1, .offset = 1}},
                  kLater);
  return in_short(fixture.turns());
}

TEST(R_TURN_3, AnImportMakesTheSameTurnsAsObserving) {
  for (const fs::path& file : recordings()) {
    const std::vector<TranscriptEntry> entries = entries_of(file);
    const std::vector<std::string> wanted = observed(entries);
    for (const Pieces& pieces :
         {Pieces{.size = 1}, Pieces{.size = 3, .restarts = true}, Pieces{.size = 10'000}}) {
      ObservedFixture fixture;
      import_all(fixture, entries, pieces);
      EXPECT_EQ(in_short(fixture.turns()), wanted) << file << " " << pieces.size;
      for (const Turn& turn : fixture.turns())
        EXPECT_EQ(turn.source, TurnSource::kImport);
    }
  }
}

TEST(ObservedImport, AnImportPublishesOneEventAndEndsTheSession) {
  const auto entries =
      entries_of(fs::path(ORIEL_RECORDINGS) / "transcripts/claude-interactive.jsonl");
  ObservedFixture fixture;
  import_all(fixture, entries, {.size = 5});
  ASSERT_THAT(fixture.events(), SizeIs(1));
  const EventView& event = fixture.events().front();
  EXPECT_EQ(event.feed_type, "session_imported");
  EXPECT_EQ(event.timestamp, kLater);
  EXPECT_EQ(event.data->at("turns").to_number<std::size_t>(), fixture.turns().size());
  const ObservedState& state = fixture.state();
  EXPECT_TRUE(state.is_imported);
  EXPECT_EQ(state.last_index, 0);
  EXPECT_EQ(state.status, SessionStatus::kCompleted);
  EXPECT_EQ(state.end_reason, "imported");
  EXPECT_EQ(state.turns.title, "Hello there");
  EXPECT_EQ(state.turns.last_text, "This is the scripted answer.");
  EXPECT_EQ(state.created_at, fixture.turns().front().timestamp);
  EXPECT_EQ(state.updated_at, state.ended_at);
  EXPECT_LT(*state.ended_at, kLater);
}

TEST(ObservedImport, ASecondImportMakesNothing) {
  const auto entries = entries_of(fs::path(ORIEL_RECORDINGS) / "transcripts/droid-jsonrpc.jsonl");
  ObservedFixture fixture;
  import_all(fixture, entries, {.size = 100});
  const std::vector<Turn> before = fixture.turns();
  fixture.restart();
  fixture.entries({.entries = entries,
                   .position = {.path = "/t/a.jsonl", .inode = 2, .offset = 1},
                   .is_from_start = true,
                   .is_import = true},
                  kLater);
  EXPECT_EQ(fixture.turns(), before);
}

TEST(ObservedImport, AnotherFileOfTheSessionDoesNotReplaceItsTranscript) {
  ObservedFixture fixture;
  const auto entries = entries_of(fs::path(ORIEL_RECORDINGS) / "transcripts/droid-jsonrpc.jsonl");
  import_all(fixture, entries, {.size = 100});
  fixture.entries({.entries = entries,
                   .position = {.path = "/t/older.jsonl", .inode = 7, .offset = 9},
                   .is_import = true},
                  kLater);
  EXPECT_EQ(fixture.state().transcript.position.path, "/t/a.jsonl");
}

TEST(ObservedImport, AHookResumesAnImportedSession) {
  ObservedFixture fixture;
  const auto entries =
      entries_of(fs::path(ORIEL_RECORDINGS) / "transcripts/claude-print-text.jsonl");
  import_all(fixture, entries, {.size = 100});
  const std::size_t before = fixture.turns().size();
  fixture.restart();
  HookEvent hook;
  hook.kind = HookKind::kUserPromptSubmit;
  hook.session_id = "agent-1";
  hook.prompt = "go on";
  fixture.hook(hook, kLater);
  EXPECT_FALSE(fixture.state().is_imported);
  EXPECT_FALSE(fixture.state().ended_at);
  EXPECT_EQ(fixture.turns().size(), before + 1);
  EXPECT_THAT(fixture.published("session_resumed"), SizeIs(1));
  EXPECT_THAT(fixture.published("session_created"), IsEmpty());
}

TEST(ObservedImport, AnUnansweredQuestionIsDismissedAtTheEnd) {
  TranscriptEntry ask;
  ask.kind = EntryKind::kQuestion;
  ask.id = "q";
  ask.time = at_ms(1);
  ask.text = "Which?";
  ask.tool_call_id = "call";
  ask.tool_name = "AskUserQuestion";
  TranscriptEntry answer;
  answer.kind = EntryKind::kToolResult;
  answer.id = "r";
  answer.time = at_ms(2);
  answer.text = "This one";
  answer.tool_call_id = "call";
  ObservedFixture answered;
  import_all(answered, {ask, answer}, {.size = 1, .restarts = true});
  EXPECT_THAT(in_short(answered.turns()),
              ElementsAre("agent question: Which?", "user answer: This one"));
  EXPECT_EQ(to_json(answered.turns().front().data).at("status"), "answered");
  ObservedFixture left;
  import_all(left, {ask}, {.size = 1});
  EXPECT_EQ(to_json(left.turns().front().data).at("status"), "dismissed");
}

}  // namespace
}  // namespace oriel
