// Recorded transcripts and hooks of real agents (tests/recordings) make the right turns.

#include "observed/observed_testing.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace oriel {
namespace {

using Lines = std::vector<std::string>;

const WallTime kAfterRecording = parse_time("2026-11-17T00:00:00Z").value();  // than all recordings

Lines read_lines(const std::string& name) {
  std::ifstream file(std::string(ORIEL_RECORDINGS) + "/" + name);
  EXPECT_TRUE(file) << name;
  Lines lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

std::vector<TranscriptEntry> entries_of(TranscriptFormat format, const Lines& lines) {
  std::vector<TranscriptEntry> all;
  for (const std::string& line : lines) {
    EXPECT_EQ(guess_format(line).value_or(format), format) << line;
    TranscriptLine parsed = parse_transcript_line(format, line);
    EXPECT_EQ(parsed.skipped, "") << line;
    for (TranscriptEntry& entry : parsed.entries)
      all.push_back(std::move(entry));
  }
  return all;
}

Lines turns_of(TranscriptFormat format, const std::string& name) {
  ObservedFixture fixture;
  fixture.entries({.entries = entries_of(format, read_lines("transcripts/" + name)),
                   .position = {.path = name, .inode = 1, .offset = 1}},
                  kAfterRecording);
  EXPECT_EQ(fixture.state().state, WorkState::kComplete);
  return in_short(fixture.turns());
}

const Lines kInteractive = {
    "user command: Hello there",
    "agent completion: This is the scripted answer.",
    "user command: yes",
    "agent completion: This is the scripted answer.",
    "user command: yes",
    "agent completion: This is the scripted answer.",
    "user command: [[run:cat notes.txt]] Look at the notes",
    "agent progress: I use a tool.",
    "agent completion: The tool said: alpha",
    "user command: [[run:touch allowed.txt]] Make a file",
    "agent progress: I use a tool.",
    "agent completion: The tool said: (Bash completed with no output)",
    "user command: [[run:touch refused.txt]] [[note:x]] Make another",
    "agent progress: I use a tool.",
    "user command: [[slow:40]] Tell me slowly",
    "user command: [[slow:15]] [[note:q]] Again slowly",
    "agent completion: piece 1 piece 2 piece 3 piece 4 piece 5 piece 6 piece 7 piece 8 piece 9 "
    "piece 10 piece 11 piece 12 piece 13 piece 14 piece 15 ",
    "user command: queued while busy",
    "agent completion: piece 1 piece 2 piece 3 piece 4 piece 5 piece 6 piece 7 piece 8 piece 9 "
    "piece 10 piece 11 piece 12 piece 13 piece 14 piece 15 ",
    "user command: /compact",
    "user command: [[note:y]] After compaction",
    "agent completion: This is the scripted answer.",
    "user command: /exit",
    "user command: [[note:z]] After resume",
    "agent completion: This is the scripted answer.",
};

TEST(R_TURN_3, AClaudeTranscriptHasItsTurns) {
  EXPECT_EQ(turns_of(TranscriptFormat::kClaude, "claude-interactive.jsonl"), kInteractive);
}

// The hooks of the same session, each after the lines that were written before it.
TEST(R_TURN_6, ClaudeHooksAddOnlyPermissionsToTheTranscript) {
  const Lines hooks = read_lines("hooks/claude-interactive.jsonl");
  const Lines times = read_lines("hooks/claude-interactive.times");
  const Lines transcript = read_lines("transcripts/claude-interactive.jsonl");
  ASSERT_EQ(hooks.size(), times.size());
  const std::string session_id = "c93acab3-0794-48a4-97a3-3f63a28f41ac";
  ObservedFixture fixture(session_id);
  std::size_t read = 0;
  WallTime now;
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const boost::json::value body = boost::json::parse(hooks[i]);
    if (body.at("session_id") != session_id.c_str()) continue;
    const boost::json::value when = boost::json::parse(times[i]);
    now = WallTime(std::chrono::milliseconds(when.at("ms").to_number<std::int64_t>()));
    const auto kind = parse_hook_event_name(std::string(body.at("hook_event_name").as_string()));
    const Result<HookEvent> hook = parse_hook(kind.value(), hooks[i]);
    ASSERT_TRUE(hook) << hook.error().message;
    const auto there = when.at("transcript_lines").to_number<std::size_t>();
    Lines news;
    while (read < std::min(there, transcript.size()))
      news.push_back(transcript[read++]);
    fixture.entries({.entries = entries_of(TranscriptFormat::kClaude, news),
                     .position = {.path = hook->transcript_path, .inode = 1, .offset = read}},
                    now);
    fixture.hook(*hook, now);
    fixture.restart();
  }
  fixture.entries(
      {.entries = entries_of(
           TranscriptFormat::kClaude,
           Lines(transcript.begin() + static_cast<std::ptrdiff_t>(read), transcript.end())),
       .position = {.path = "end", .inode = 1, .offset = 1}},
      now);
  fixture.tick(now + std::chrono::minutes(1));
  Lines expected = kInteractive;
  expected.insert(expected.begin() + 14, "agent question: Bash: touch refused.txt");
  expected.insert(expected.begin() + 11, "agent question: Bash: touch allowed.txt");
  EXPECT_EQ(in_short(fixture.turns()), expected);
  std::size_t corrections = 0;
  for (const Turn& turn : fixture.turns()) {
    if (turn.intent == TurnIntent::kQuestion) {
      EXPECT_EQ(to_json(turn.data).at("tool_name"), "Bash");
      EXPECT_TRUE(to_json(turn.data).at("input").at("command").is_string());
      EXPECT_NE(to_json(turn.data).at("status"), "pending");
    } else {
      EXPECT_EQ(turn.timestamp_source, TimestampSource::kTranscript) << turn.text;
    }
  }
  for (const EventView& event : fixture.events()) {
    if (event.feed_type == "turn_updated" &&
        event.data->at("update_type") == "timestamp_correction")
      ++corrections;
  }
  EXPECT_GT(corrections, 5U);
  EXPECT_EQ(fixture.state().state, WorkState::kComplete);
  EXPECT_EQ(fixture.state().end_reason, "clear");
}

TEST(R_TURN_3, AForkThatRepeatsEntriesMakesNoDuplicates) {
  const auto old = entries_of(TranscriptFormat::kClaude,
                              read_lines("transcripts/claude-print-resume-compact.jsonl"));
  const auto fork =
      entries_of(TranscriptFormat::kClaude, read_lines("transcripts/claude-print-fork.jsonl"));
  ObservedFixture fixture;
  fixture.entries({.entries = old, .position = {.path = "old", .inode = 1, .offset = 1}},
                  kAfterRecording);
  const std::size_t before = fixture.turns().size();
  fixture.restart();
  fixture.entries({.entries = fork, .position = {.path = "fork", .inode = 2, .offset = 1}},
                  kAfterRecording);
  std::set<std::string> ids;
  for (const Turn& turn : fixture.turns())
    EXPECT_TRUE(ids.insert(turn.entry_id).second) << turn.text;
  EXPECT_LE(fixture.turns().size(), before + 2);
}

TEST(R_TURN_3, CodexRolloutsHaveTheirTurns) {
  EXPECT_EQ(
      turns_of(TranscriptFormat::kCodex, "codex-app-server.jsonl"),
      (Lines{
          "user command: Hello there", "agent completion: This is the scripted answer.",
          "user command: yes", "agent completion: This is the scripted answer.",
          "user command: yes", "agent completion: This is the scripted answer.",
          "user command: [[run:cat notes.txt]] Look at the notes", "agent progress: I use a tool.",
          "agent completion: The tool said: Chunk ID: 3d8c6a\nWall time: 0.0000 "
          "seconds\nProcess exited with code 0\nOriginal t",
          "user command: [[note:z]] After resume", "agent completion: This is the scripted answer.",
          "user command: [[note:y]] After compaction",
          "agent completion: This is the scripted answer."}));
  EXPECT_EQ(turns_of(TranscriptFormat::kCodex, "codex-exec-text.jsonl").size(), 2U);
  EXPECT_EQ(turns_of(TranscriptFormat::kCodex, "codex-app-server-fork.jsonl").size(), 2U);
}

TEST(R_TURN_3, DroidSessionsHaveTheirTurns) {
  EXPECT_EQ(turns_of(TranscriptFormat::kDroid, "droid-exec-tool.jsonl"),
            (Lines{"user command: [[run:cat notes.txt]] Look at the notes",
                   "agent progress: I use a tool.",
                   "agent completion: The tool said: alpha\n\n\n[Process exited with code 0]"}));
  EXPECT_EQ(turns_of(TranscriptFormat::kDroid, "droid-jsonrpc.jsonl").size(), 15U);
}

TEST(R_TURN_3, NoRecordedLineIsSkipped) {
  for (const char* name : {"claude-interactive-clear", "claude-interactive-fork-killed",
                           "claude-print-text", "claude-print-tool", "claude-print-tool-fails"})
    entries_of(TranscriptFormat::kClaude,
               read_lines("transcripts/" + std::string(name) + ".jsonl"));
  entries_of(TranscriptFormat::kCodex, read_lines("transcripts/codex-exec-tool-resume.jsonl"));
  for (const char* name : {"droid-exec-text", "droid-jsonrpc-compacted", "droid-jsonrpc-fork"})
    entries_of(TranscriptFormat::kDroid, read_lines("transcripts/" + std::string(name) + ".jsonl"));
}

}  // namespace
}  // namespace oriel
