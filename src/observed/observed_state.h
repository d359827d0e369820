#pragma once
// The state of an observed agent, which survives a restart. Its turns are documents of their own.

#include "base/error.h"
#include "base/event/session_status.h"
#include "base/event/work_state.h"
#include "base/time.h"
#include "observed/open_questions.h"
#include "observed/reconciler.h"
#include "observed/silence_rules.h"
#include "observed/task_list.h"
#include "observed/tool_calls.h"
#include "observed/transcript_progress.h"
#include "observed/turn_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct ObservedState {
  std::string session_id;               // Oriel's: the first of the agent's own ids
  std::string agent;                    // "claude", "codex", "droid"
  std::vector<std::string> native_ids;  // the agent's own, the newest last
  std::string project_id;
  std::string project_name;
  std::string cwd;
  std::optional<std::int64_t> pid;
  WallTime created_at;
  WallTime updated_at;           // when its newest event was published
  WallTime active_at;            // when the last hook or entry arrived
  std::int64_t last_index = -1;  // of its newest event

  WorkState state = WorkState::kIdle;
  bool is_created = false;   // session_created was published, or the session was imported
  bool is_imported = false;  // everything known of it was imported: no hook has arrived
  std::optional<WallTime> ended_at;
  std::string end_reason;
  SessionStatus status = SessionStatus::kIdle;
  Silence silence = Silence::kNone;

  TranscriptProgress transcript;
  TaskList tasks;
  ToolCalls tools;
  OpenQuestions questions;
  TurnSummary turns;
  ReconcilerState reconciler;

  bool operator==(const ObservedState&) const = default;
};

// "observed/<session_id>"
std::string observed_document_key(std::string_view session_id);

std::string to_document(const ObservedState& state);
Result<ObservedState> parse_observed_document(std::string_view text);

}  // namespace oriel
