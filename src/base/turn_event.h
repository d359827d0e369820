#pragma once
// What is told of turns, of the work they belong to and of the agents whose they are. Each is an
// event of its session with a name of its own on the feed; `data` repeats agent_id, project_id and
// task_id, so that a watcher needs nothing else.

#include "base/session_event.h"
#include "base/turn.h"
#include "base/work_state.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// feed_type turn_created; text, task_id, timestamp (the stored one); role is "user" or "assistant".
// Its type is `message`, or `system` when a message event has told its text already (hosted
// sessions: source message). data: agent_id, project_id, task_id, turn_id, actor, intent, source,
// timestamp_source, timestamp, ordinal, cursor, entry_id, files and the turn's own data.
SessionEvent turn_created_event(const Turn& turn);

// feed_type turn_updated, type system; the turn as it is now, its data, and what has changed:
// data.update_type and, of a corrected time, data.old_timestamp.
struct TurnChange {
  std::string_view update_type;           // timestamp_correction, intent, task, answered, withdrawn
  std::optional<WallTime> old_timestamp;  // of timestamp_correction
};

SessionEvent turn_updated_event(const Turn& turn, const TurnChange& change);

// feed_type turn_detected, type system: a transcript's reader has seen this turn.
SessionEvent turn_detected_event(const Turn& turn);

// feed_type state_transition, type system; of a hosted session or an observed one.
struct StateTransition {
  std::string session_id;
  std::string project_id;
  std::string task_id;  // empty: none
  WorkState from = WorkState::kIdle;
  WorkState to = WorkState::kIdle;
  std::string trigger;
};

SessionEvent state_transition_event(const StateTransition& transition, WallTime now);

}  // namespace oriel
