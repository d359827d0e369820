#pragma once
// Parses the transcripts of agents, line by line. Pure; never throws; texts are complete.

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

// The format of a file with this line, usually its first; none: the line fits no format.
std::optional<TranscriptFormat> guess_format(std::string_view line);

enum class EntryKind {
  kPrompt,      // a person's text
  kText,        // the agent's text
  kToolUse,     // the call of a tool
  kQuestion,    // the call of a tool that asks a person
  kToolResult,  // the result of a call; after kQuestion: the answer
  kTaskEnd,     // the agent has finished its task
  kInterrupt,   // a person stopped the agent
  kCompaction,  // the conversation was summarized
  kMeta,        // anything else: session, directory, title, internal notes
};

struct TranscriptEntry {
  EntryKind kind = EntryKind::kMeta;

  // The line's own id, with "#2", "#3", ... for its second and later entries. A line of Codex
  // without an id has "codex:" and a hash of its text, so that a copy in another file has the same.
  std::string id;
  std::optional<WallTime> time;
  std::string prompt_id;      // of its task: Claude's promptId, Codex' turn_id; empty: unknown
  std::string session_id;     // the agent's own; empty: the line has none
  std::string cwd;            // empty: the line has none
  bool is_sidechain = false;  // belongs to a sub-agent
  bool ends_task = false;     // of kText: the model has finished
  std::string text;           // of kMeta: the title
  std::string tool_call_id;
  std::string tool_name;
  boost::json::value input;  // of kToolUse and kQuestion
  bool is_error = false;     // of kToolResult

  bool operator==(const TranscriptEntry&) const = default;
};

struct TranscriptLine {
  std::vector<TranscriptEntry> entries;
  std::string skipped;  // why the line is invalid; empty: it is valid
};

TranscriptLine parse_transcript_line(TranscriptFormat format, std::string_view line);

// Whether Claude Code wrote this prompt itself: a notification of a background task, a reminder.
bool is_program_text(std::string_view text);

TranscriptLine parse_claude_line(std::string_view text);
TranscriptLine parse_codex_line(std::string_view text);
TranscriptLine parse_droid_line(std::string_view text);

}  // namespace oriel
