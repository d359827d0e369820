#pragma once
// The state of a session as values: shown by endpoints and stored across restarts.

#include "base/agent_event.h"
#include "base/time.h"
#include "base/work_state.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class SessionStatus { kIdle, kRunning, kFailed, kCompleted };

std::string_view name_of(SessionStatus status);  // "idle", "running", "failed", "completed"
std::optional<SessionStatus> parse_session_status(std::string_view name);

// A message that waits for the agent.
struct QueuedMessage {
  std::string task_id;
  std::string text;

  bool operator==(const QueuedMessage&) const = default;
};

// A request that was taken, so that its repetition is not taken twice.
struct TakenRequest {
  std::string request_id;
  std::string task_id;
  std::string turn_id;
  std::int64_t last_index = -1;  // what it was told: its task's events come after this one

  bool operator==(const TakenRequest&) const = default;
};

// A question of the agent that nobody has answered yet.
struct PendingPermission {
  std::string permission_id;  // Oriel's own, unguessable
  PermissionAsked asked;
  WallTime asked_at;
  std::optional<WallTime> expires_at;

  bool operator==(const PendingPermission&) const = default;
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
  std::string permissions;  // ask, allow or deny: overrides the agent's own rule; empty: does not
  std::string request_id;   // of the request that made it; empty: none was given
  WallTime created_at;
  WallTime updated_at;
  std::int64_t last_index = -1;  // of its newest event: the session alone writes its events

  SessionStatus status = SessionStatus::kIdle;
  WorkState state = WorkState::kIdle;
  std::string reason;   // why it failed
  std::string task_id;  // of the task at work, else of the last one
  bool is_in_task = false;
  std::uint64_t turns = 0;
  std::string last_text;            // the end of what the agent said last
  boost::json::object usage;        // of the last task; empty: unknown
  boost::json::object total_usage;  // of all its tasks
  std::string agent_session_id;
  std::vector<QueuedMessage> queue;
  std::vector<TakenRequest> requests;  // the newest last
  std::vector<ToolAtWork> tools;       // of the task at work, in the order they began

  // Of the running process alone; not in the document.
  bool is_live = false;
  bool is_observed = false;  // somebody runs it elsewhere: Oriel only watches
  bool is_imported = false;  // likewise, and all that is known of it was imported
  std::string silence;       // of an observed one: what it means that nothing is heard of it
  std::string project_name;  // likewise: as it is shown
  std::vector<PendingPermission> pending;

  bool operator==(const SessionState&) const = default;
};

// The part that survives a restart, as JSON text, and back. An error means that the text is not a
// session's document.
std::string to_document(const SessionState& state);
Result<SessionState> parse_document(std::string_view text);

// {"permission_id","tool_call_id","title","input","options":[...],"questions":[...],"asked_at",
// "expires_at"}
boost::json::object to_json(const PendingPermission& permission);

// The state as endpoints return it.
boost::json::object to_json(const SessionState& state);

}  // namespace oriel
