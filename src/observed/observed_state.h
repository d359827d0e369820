#pragma once
// An agent that somebody runs elsewhere, as values: what doors show of it, and what survives a
// restart. Small: its turns are documents of their own.

#include "base/error.h"
#include "base/turn.h"
#include "base/work_state.h"
#include "observed/reconciler.h"
#include "transcript/transcript_position.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A piece of work: a command, and what the agent did for it.
struct ObservedTask {
  std::string task_id;
  std::string prompt_id;          // the agent's own, where known
  std::string command_turn_id;    // empty: the agent works, and nobody knows yet what for
  std::string last_text_turn_id;  // the agent's last words, if it has done nothing since
  WallTime opened_at;
  bool has_entries = false;          // the transcript has come to it, and not left it
  bool has_work = false;             // the agent has begun
  std::optional<WallTime> asked_at;  // a notification said that the agent waits
  std::optional<WallTime> done_at;   // a hook or the transcript says that the agent has finished
  bool is_done_by_transcript = false;
  bool is_cut = false;  // it has not finished: the session has ended

  bool operator==(const ObservedTask&) const = default;
};

// A tool at work.
struct ObservedTool {
  std::string tool_call_id;
  std::string tool_name;
  std::uint64_t print = 0;  // of its name and input
  std::string task_id;
  WallTime since;

  bool operator==(const ObservedTool&) const = default;
};

// A tool that has ended not long ago: a hook of it may still come, or come again.
struct EndedTool {
  std::string tool_call_id;  // empty: its hook did not say
  std::uint64_t print = 0;
  bool is_question = false;  // what it gave is a person's answer
  WallTime at;

  bool operator==(const EndedTool&) const = default;
};

// A question that nobody has answered yet.
struct OpenQuestion {
  std::string turn_id;
  std::string task_id;
  std::string tool_call_id;  // empty: not known
  std::uint64_t print = 0;   // of the tool's name and input
  bool is_permission = false;

  bool operator==(const OpenQuestion&) const = default;
};

// What it means that nothing is heard of an agent.
enum class Silence {
  kNone,      // something was heard a moment ago
  kAtRest,    // nothing is to be heard: the agent has nothing to do
  kQuestion,  // it waits for a person
  kTool,      // a tool runs
  kUnknown,   // it should work, and says nothing
  kGone,      // its process has ended
};

std::string_view name_of(Silence silence);  // "none", "at_rest", "question", "tool", ...

struct ObservedState {
  std::string session_id;               // Oriel's; the first of the agent's own ids
  std::string agent;                    // "claude", "codex", "droid"
  std::vector<std::string> native_ids;  // the agent's own, the newest last
  std::string project_id;
  std::string project_name;
  std::string cwd;
  std::string title;  // the beginning of its first command
  std::optional<std::int64_t> pid;
  WallTime created_at;
  WallTime updated_at;           // when an event of it was last told
  WallTime heard_at;             // when something was last heard of it
  std::int64_t last_index = -1;  // of its newest event

  WorkState state = WorkState::kIdle;
  bool is_created = false;   // session_created was told, or it was imported
  bool is_imported = false;  // all that is known of it was imported: no hook has ever come
  std::optional<WallTime> ended_at;
  std::string end_reason;
  std::string status = "idle";  // idle, running or completed, as of hosted sessions
  Silence silence = Silence::kNone;
  std::string last_text;  // the end of what the agent said last
  std::string task_id;    // of the newest turn
  std::uint64_t turns = 0;

  TranscriptPosition position;
  std::string wanted_path;  // a hook named this transcript; `position` goes on until it is followed
  std::optional<WallTime> last_entry_at;
  std::vector<std::string> last_entry_ids;  // of the entries of that time
  std::optional<WallTime> copied_until;  // what is older, or then and of these ids, is told again
  std::vector<std::string> copied_ids;

  std::uint64_t next_ordinal = 1;
  std::uint64_t last_entry_ordinal = 0;  // of the transcript's newest turn
  std::vector<ObservedTask> tasks;       // the agent is at the last; the transcript at one, or none
  std::vector<std::string> closed_prompts;  // prompt ids of the last kMaxClosedPrompts tasks before
  std::vector<ObservedTool> tools;
  std::vector<EndedTool> ended_tools;  // the last kMaxEndedTools
  std::vector<OpenQuestion> questions;
  ReconcilerState waiting;

  static constexpr std::size_t kMaxEndedTools = 64;
  static constexpr std::size_t kMaxClosedPrompts = 16;

  bool operator==(const ObservedState&) const = default;
};

// Where its document is: "observed/<session_id>".
std::string observed_document_key(std::string_view session_id);

std::string to_document(const ObservedState& state);
Result<ObservedState> parse_observed_document(std::string_view text);

}  // namespace oriel
