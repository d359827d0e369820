#pragma once
// The state of a session as values: shown by endpoints and stored across restarts.

#include "base/error.h"
#include "base/event/permission.h"
#include "base/event/session_status.h"
#include "base/event/silence.h"
#include "base/event/usage.h"
#include "base/event/work_state.h"
#include "base/time.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A message that waits for the agent.
struct QueuedMessage {
  std::string task_id;
  std::string text;

  bool operator==(const QueuedMessage&) const = default;
};

// An accepted request, remembered to detect repetitions.
struct TakenRequest {
  std::string request_id;
  std::string task_id;
  std::string turn_id;
  std::int64_t last_index = -1;  // its task's events come after this one

  bool operator==(const TakenRequest&) const = default;
};

struct ToolAtWork {
  std::string tool_call_id;
  std::string tool_name;
  WallTime since;

  bool operator==(const ToolAtWork&) const = default;
};

struct SessionState {
  std::string session_id;
  std::string agent;
  std::string project_id;
  std::string title;
  std::string workspace;
  std::optional<PermissionMode> permissions;  // none: the agent's rule
  std::string request_id;                     // of the request that created it; empty: none
  std::string owner;  // the principal that created it; empty: it is observed
  WallTime created_at;
  WallTime updated_at;
  std::int64_t last_index = -1;  // of its newest event; only the runner writes to the session

  SessionStatus status = SessionStatus::kIdle;
  WorkState state = WorkState::kIdle;
  std::optional<WallTime> state_since;  // none: unknown, as for an observed session
  std::string reason;                   // why it failed
  std::string task_id;                  // of the running task, else of the last one
  bool is_in_task = false;
  std::uint64_t turns = 0;
  std::string last_text;  // the end of the agent's last message
  Usage usage;            // of the last task
  Usage total_usage;      // of all tasks
  std::string agent_session_id;
  std::vector<QueuedMessage> queue;
  std::vector<TakenRequest> requests;  // the newest last
  std::vector<ToolAtWork> tools;       // of the running task, in the order they began

  // Known while the process runs; in the document only for other nodes.
  bool is_live = false;
  std::vector<PendingPermission> pending;

  // Not in the document.
  bool is_observed = false;          // somebody else runs it
  bool is_imported = false;          // observed, and known from an import only
  Silence silence = Silence::kNone;  // of an observed session
  std::string project_name;          // of an observed session, for display
  std::string node;                  // that runs it, or did last; empty: there is no cluster
  bool is_pinned = false;            // by a person
  bool is_archived = false;
  std::vector<std::string> labels = {};

  bool operator==(const SessionState&) const = default;
};

// Who reads a session's document: its own node after a restart, or others while it runs.
enum class DocumentReader { kRestart, kOtherNodes };

// Serializes and parses the part that such a reader needs, as JSON. Fails if the text is not a
// session's document. What was written for other nodes can be read after a restart, too.
std::string to_document(const SessionState& state,
                        DocumentReader reader = DocumentReader::kRestart);
Result<SessionState> parse_document(std::string_view text,
                                    DocumentReader reader = DocumentReader::kRestart);

// The state as endpoints return it.
boost::json::object to_json(const SessionState& state);

}  // namespace oriel
