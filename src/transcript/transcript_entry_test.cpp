#include "transcript/transcript_entry.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string claude_user(const std::string& content, const std::string& more = "") {
  return R"({"type":"user","uuid":"u1","timestamp":"2026-11-16T08:03:56.285Z","sessionId":"s",)" +
         more + R"("message":{"role":"user","content":)" + content + "}}";
}

TranscriptEntry only(const TranscriptLine& line) {
  EXPECT_EQ(line.skipped, "");
  EXPECT_EQ(line.entries.size(), 1U);
  return line.entries.empty() ? TranscriptEntry{} : line.entries.front();
}

TEST(ClaudeTranscript, APromptIsAStringOrBlocks) {
  const TranscriptEntry text = only(parse_claude_line(claude_user(R"("fix it")")));
  EXPECT_EQ(text.kind, EntryKind::kPrompt);
  EXPECT_EQ(text.text, "fix it");
  EXPECT_EQ(text.id, "u1");
  EXPECT_EQ(text.session_id, "s");
  EXPECT_EQ(format_time(*text.time), "2026-11-16T08:03:56.285Z");
  const TranscriptEntry blocks = only(parse_claude_line(claude_user(
      R"([{"type":"text","text":"fix"},{"type":"image"},{"type":"text","text":"it"}])")));
  EXPECT_EQ(blocks.kind, EntryKind::kPrompt);
  EXPECT_EQ(blocks.text, "fix\nit");
}

TEST(ClaudeTranscript, NoTextIsCut) {
  const std::string text(300'000, 'x');
  EXPECT_EQ(only(parse_claude_line(claude_user("\"" + text + "\""))).text, text);
}

TEST(ClaudeTranscript, TextsOfTheProgramAreNoPrompts) {
  const auto kind = [](const std::string& content, const std::string& more = "") {
    return only(parse_claude_line(claude_user(content, more))).kind;
  };
  EXPECT_EQ(kind(R"("x")", R"("isMeta":true,)"), EntryKind::kMeta);
  EXPECT_EQ(kind(R"("x")", R"("isCompactSummary":true,)"), EntryKind::kMeta);
  EXPECT_EQ(kind(R"("<task-notification>done</task-notification>")"), EntryKind::kMeta);
  EXPECT_EQ(kind(R"("<local-command-stdout>bye</local-command-stdout>")"), EntryKind::kTaskEnd);
  EXPECT_EQ(kind(R"([{"type":"text","text":"[Request interrupted by user]"}])"),
            EntryKind::kInterrupt);
}

TEST(ClaudeTranscript, APersonMayQuoteTheProgram) {
  EXPECT_EQ(
      only(parse_claude_line(claude_user(R"("why <system-reminder>x</system-reminder>?")"))).kind,
      EntryKind::kPrompt);
  EXPECT_EQ(only(parse_claude_line(claude_user(R"("<system-reminder>x</system-reminder>")",
                                               R"("origin":{"kind":"human"},)")))
                .kind,
            EntryKind::kPrompt);
}

TEST(ClaudeTranscript, ASlashCommandIsAPromptAsItWasTyped) {
  EXPECT_EQ(
      only(
          parse_claude_line(claude_user(
              R"("<command-name>/review</command-name>\n<command-args>all of it</command-args>")")))
          .text,
      "/review all of it");
}

TEST(ClaudeTranscript, SidechainsAreMarked) {
  EXPECT_TRUE(
      only(parse_claude_line(claude_user(R"("x")", R"("isSidechain":true,)"))).is_sidechain);
}

TEST(ClaudeTranscript, EntriesOfOneLineHaveDifferentIds) {
  const TranscriptLine line = parse_claude_line(
      R"({"type":"assistant","uuid":"a","message":{"stop_reason":"end_turn","content":[
          {"type":"thinking","thinking":"hm"},{"type":"text","text":"one"},
          {"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}},
          {"type":"tool_use","id":"t2","name":"AskUserQuestion",
           "input":{"questions":[{"question":"Which?"}]}}]}})");
  ASSERT_EQ(line.entries.size(), 3U);
  EXPECT_EQ(line.entries[0].kind, EntryKind::kText);
  EXPECT_EQ(line.entries[0].id, "a");
  EXPECT_TRUE(line.entries[0].ends_task);
  EXPECT_EQ(line.entries[1].kind, EntryKind::kToolUse);
  EXPECT_EQ(line.entries[1].id, "a#2");
  EXPECT_EQ(line.entries[1].input.at("command"), "ls");
  EXPECT_EQ(line.entries[2].kind, EntryKind::kQuestion);
  EXPECT_EQ(line.entries[2].text, "Which?");
  EXPECT_EQ(line.entries[2].id, "a#3");
}

TEST(ClaudeTranscript, AnAnswerHasThePersonsChoice) {
  const TranscriptEntry entry = only(parse_claude_line(claude_user(
      R"([{"type":"tool_result","tool_use_id":"t2","content":"User has answered: ..."}])",
      R"("toolUseResult":{"answers":{"Which?":"the first"}},)")));
  EXPECT_EQ(entry.kind, EntryKind::kToolResult);
  EXPECT_EQ(entry.tool_call_id, "t2");
  EXPECT_EQ(entry.text, "the first");
}

TEST(CodexTranscript, ALineWithoutAnIdHasTheSameIdInEveryFile) {
  const char* const line =
      R"({"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"yes"}})";
  const char* const later =
      R"({"timestamp":"2026-01-01T00:00:09.000Z","type":"event_msg","payload":{"type":"user_message","message":"yes"}})";
  const TranscriptEntry entry = only(parse_codex_line(line));
  EXPECT_EQ(entry.kind, EntryKind::kPrompt);
  EXPECT_EQ(entry.text, "yes");
  EXPECT_EQ(only(parse_codex_line(line)).id, entry.id);
  EXPECT_NE(only(parse_codex_line(later)).id, entry.id);
}

TEST(CodexTranscript, BareItemsOfTheFirstVersionsAreRead) {
  EXPECT_EQ(
      only(
          parse_codex_line(
              R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]})"))
          .kind,
      EntryKind::kText);
  EXPECT_TRUE(
      parse_codex_line(
          R"({"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]})")
          .entries.empty());
}

TEST(R_TURN_3, InvalidLinesAreSkippedWithAReason) {
  for (const auto format :
       {TranscriptFormat::kClaude, TranscriptFormat::kCodex, TranscriptFormat::kDroid}) {
    for (const char* text :
         {"", "nonsense", "[]", "null", "{", "\xFF\xFE", "{}", R"({"type":7})"}) {
      const TranscriptLine line = parse_transcript_line(format, text);
      EXPECT_TRUE(line.entries.empty()) << text;
      EXPECT_NE(line.skipped, "") << text;
    }
  }
  EXPECT_NE(parse_claude_line(R"({"type":"user","message":{"content":"x"}})").skipped, "");
  EXPECT_NE(parse_droid_line(R"({"type":"message","message":{"role":"user"}})").skipped, "");
}

TEST(TranscriptFormat, ALineShowsTheFormat) {
  EXPECT_EQ(guess_format(R"({"type":"mode","mode":"normal","sessionId":"s"})"),
            TranscriptFormat::kClaude);
  EXPECT_EQ(guess_format(R"({"timestamp":"t","type":"session_meta","payload":{"id":"x"}})"),
            TranscriptFormat::kCodex);
  EXPECT_EQ(guess_format(R"({"type":"session_start","id":"x"})"), TranscriptFormat::kDroid);
  EXPECT_EQ(guess_format("{}"), std::nullopt);
  EXPECT_EQ(guess_format("no"), std::nullopt);
  for (const auto format :
       {TranscriptFormat::kClaude, TranscriptFormat::kCodex, TranscriptFormat::kDroid})
    EXPECT_EQ(parse_transcript_format(name_of(format)), format);
}

}  // namespace
}  // namespace oriel
