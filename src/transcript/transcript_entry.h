#pragma once
// What an agent's own transcript says: a line of JSON of one of three formats in, what happened
// out. Pure and without memory; never throws. No text is cut.

#include "base/time.h"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class TranscriptFormat {
  kClaude,  // ~/.claude/projects/<cwd>/<session>.jsonl
  kCodex,   // ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl
  kDroid,   // ~/.factory/sessions/<cwd>/<session>.jsonl
};

std::string_view name_of(TranscriptFormat format);  // "claude", "codex", "droid"
std::optional<TranscriptFormat> parse_transcript_format(std::string_view name);

// By a line of it, the first as a rule; none when the line fits no format.
std::optional<TranscriptFormat> guess_format(std::string_view line);

enum class EntryKind {
  kPrompt,      // a person's words
  kText,        // the agent's words
  kToolUse,     // a tool is called
  kQuestion,    // the same, of a tool that asks the person
  kToolResult,  // a tool has ended; of a question: the answer
  kTurnEnd,     // the agent has nothing more to do
  kInterrupt,   // a person has stopped the agent
  kCompaction,  // what came before was summed up
  kMeta,        // nothing of the above: who, where, and what the program notes for itself
};

struct TranscriptEntry {
  EntryKind kind = EntryKind::kMeta;

  // The entry's own id; for the second and later parts of one line with "#2", "#3", ... behind it.
  // Where Codex gives none: "codex:" and a hash of the line's time and content, so that the same
  // line in another file has the same id. Where Droid gives none: what it is of, and its kind.
  std::string id;
  std::optional<WallTime> time;
  std::string prompt_id;   // what it is done for: Claude's promptId, Codex' turn_id; may be empty
  std::string session_id;  // the agent's own, where the line says so
  std::string cwd;         // likewise
  bool is_sidechain = false;  // of a sub-agent
  bool ends_turn = false;     // of kText: the model said that it has finished
  std::string text;  // of prompt, text, tool result; of a question: what is asked; of meta: a title
  std::string tool_call_id;
  std::string tool_name;
  boost::json::value input;  // of kToolUse and kQuestion
  bool is_error = false;     // of kToolResult

  bool operator==(const TranscriptEntry&) const = default;
};

struct TranscriptLine {
  std::vector<TranscriptEntry> entries;
  std::string skipped;  // why there are none though there might be; empty: all is well
};

TranscriptLine parse_transcript_line(TranscriptFormat format, std::string_view line);

// What Claude Code writes in a person's name without being told: the end of a task in the
// background, a reminder.
bool is_program_text(std::string_view text);

// One for each format.
TranscriptLine parse_claude_line(std::string_view line);
TranscriptLine parse_codex_line(std::string_view line);
TranscriptLine parse_droid_line(std::string_view line);

}  // namespace oriel
