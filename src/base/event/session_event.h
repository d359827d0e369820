#pragma once
// The type of all events, of sessions and of services. Each kind has its own payload.
// base/event/event_json writes the wire form, base/event/event_parser reads it back. Values only;
// the journal assigns the numbers.

#include "base/error_kind.h"
#include "base/event/agent_event.h"
#include "base/event/audit_action.h"
#include "base/event/permission.h"
#include "base/event/session_status.h"
#include "base/event/silence.h"
#include "base/event/turn.h"
#include "base/event/usage.h"
#include "base/event/work_state.h"
#include "base/time.h"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace oriel {

// The value of `type` on the wire.
enum class EventType {
  kStatus,
  kMessage,
  kDelta,
  kToolCall,
  kToolResult,
  kCompletion,
  kError,
  kPermission,
  kSystem,
  kAudit,
  kCustom,  // a service's own name
};

std::string_view name_of(EventType type);  // "status", ..., "audit"; empty for kCustom

// kCustom for any other name.
EventType parse_event_type(std::string_view name);

// The payloads. kType is the type on the wire; kFeedType the name on /api/events, where that is not
// "session_event".
namespace event {

struct StatusChanged {
  static constexpr EventType kType = EventType::kStatus;

  SessionStatus status = SessionStatus::kIdle;
  std::string reason;  // of a failure

  bool operator==(const StatusChanged&) const = default;
};

// A person's message. It opens the event's task.
struct UserMessage {
  static constexpr EventType kType = EventType::kMessage;

  std::string text;
  std::string request_id;            // of the sender; empty: none
  std::optional<TurnOrigin> origin;  // of a message that was not typed
  std::string by = {};               // the principal

  bool operator==(const UserMessage&) const = default;
};

// The text so far of a message of the agent. Replaces an earlier event with the same number.
struct AssistantMessage {
  static constexpr EventType kType = EventType::kMessage;

  std::int64_t number = 0;  // in its task, from 1
  std::string text;

  bool operator==(const AssistantMessage&) const = default;
};

// A piece of the message with this number.
struct AssistantDelta {
  static constexpr EventType kType = EventType::kDelta;

  std::int64_t number = 0;
  std::string text;

  bool operator==(const AssistantDelta&) const = default;
};

struct ThoughtDelta {
  static constexpr EventType kType = EventType::kDelta;

  std::string text;

  bool operator==(const ThoughtDelta&) const = default;
};

struct ToolCall {
  static constexpr EventType kType = EventType::kToolCall;

  std::string id;
  std::string name;
  std::string input;  // JSON text

  bool operator==(const ToolCall&) const = default;
};

struct ToolResult {
  static constexpr EventType kType = EventType::kToolResult;

  std::string id;
  std::string name;
  bool is_ok = true;
  std::string output;
  std::chrono::milliseconds duration{0};

  bool operator==(const ToolResult&) const = default;
};

struct PermissionRequested {
  static constexpr EventType kType = EventType::kPermission;
  static constexpr std::string_view kFeedType = "permission_requested";

  PendingPermission permission;

  bool operator==(const PermissionRequested&) const = default;
};

// A person's message that answers a question.
struct Reply {
  std::string turn_id;
  std::string text;
  std::string request_id;  // empty: none
  std::optional<TurnOrigin> origin;

  bool operator==(const Reply&) const = default;
};

struct PermissionResolved {
  static constexpr EventType kType = EventType::kPermission;
  static constexpr std::string_view kFeedType = "permission_resolved";

  PendingPermission permission;
  PermissionStatus status = PermissionStatus::kWithdrawn;
  Decider by;
  PermissionAnswer answer;
  std::optional<Reply> reply;

  bool operator==(const PermissionResolved&) const = default;
};

// The end of the event's task.
struct Completion {
  static constexpr EventType kType = EventType::kCompletion;

  TaskEnd outcome = TaskEnd::kCompleted;
  std::string text;  // the agent's last message
  std::string detail;
  Usage usage;
  std::chrono::milliseconds duration{0};
  std::string by = {};  // the principal that cancelled it; empty: nobody did

  bool operator==(const Completion&) const = default;
};

struct TaskError {
  static constexpr EventType kType = EventType::kError;

  std::string message;

  bool operator==(const TaskError&) const = default;
};

// A line for people.
struct Notice {
  static constexpr EventType kType = EventType::kSystem;

  std::string text;

  bool operator==(const Notice&) const = default;
};

struct AgentReady {
  static constexpr EventType kType = EventType::kSystem;

  std::string version;  // empty: unknown
  std::string agent_session_id;

  bool operator==(const AgentReady&) const = default;
};

struct SessionCreated {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "session_created";

  std::string agent;
  std::string title;  // of a hosted session
  std::string workspace;
  bool is_observed = false;
  std::string by = {};  // the principal; empty: it is observed

  bool operator==(const SessionCreated&) const = default;
};

// An observed session continues after it had ended.
struct SessionResumed {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "session_resumed";

  bool operator==(const SessionResumed&) const = default;
};

struct SessionEnded {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "session_ended";

  std::uint64_t turns = 0;
  std::optional<std::string> reason;  // of an observed session
  std::string by = {};                // the principal, of a hosted one

  bool operator==(const SessionEnded&) const = default;
};

struct SessionImported {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "session_imported";

  std::string agent;
  std::string workspace;
  std::string title;
  std::uint64_t turns = 0;
  WallTime created_at;
  WallTime ended_at;

  bool operator==(const SessionImported&) const = default;
};

// Nothing has arrived from an observed agent for a while.
struct AgentSilence {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "agent_silence";

  Silence kind = Silence::kUnknown;
  WallTime since;
  std::string tool_name;  // of the tool that runs; empty: none
  std::string tool_call_id;

  bool operator==(const AgentSilence&) const = default;
};

struct StateTransition {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "state_transition";

  WorkState from = WorkState::kIdle;
  WorkState to = WorkState::kIdle;
  StateTrigger trigger = StateTrigger::kWork;

  bool operator==(const StateTransition&) const = default;
};

struct TurnCreated {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "turn_created";

  Turn turn;
  std::optional<std::int64_t> message_index;  // of the event with its text; none: there is none
  bool is_message = false;  // no other event has its text: its type is `message`, not `system`

  bool operator==(const TurnCreated&) const = default;
};

struct TurnUpdated {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "turn_updated";

  Turn turn;  // as it is now
  TurnChange change = TurnChange::kText;
  std::optional<WallTime> old_timestamp;  // of kTimestampCorrection

  bool operator==(const TurnUpdated&) const = default;
};

// The transcript of an observed agent contains this turn.
struct TurnDetected {
  static constexpr EventType kType = EventType::kSystem;
  static constexpr std::string_view kFeedType = "turn_detected";

  Turn turn;

  bool operator==(const TurnDetected&) const = default;
};

// Who did what, from where, to which session. Only administrators see it. It has no session, so it
// leaves no hole in a session's indexes.
struct Audit {
  static constexpr EventType kType = EventType::kAudit;
  static constexpr std::string_view kFeedType = "audit";

  AuditAction action = AuditAction::kStart;
  std::string by;                         // the principal
  std::string address;                    // where its request came from
  std::string session_id;                 // empty: the action is not about one
  std::optional<ErrorKind> refusal = {};  // why it was rejected; none: done
  std::string token = {};                 // the name of a token that was created or revoked

  bool operator==(const Audit&) const = default;
};

// An event of a service, or of a kind that this version does not know.
struct Custom {
  static constexpr EventType kType = EventType::kCustom;

  std::string type;  // a name (base/id.h)
  std::string text;
  std::optional<boost::json::value> data;
  std::string by = {};  // the principal that published it

  bool operator==(const Custom&) const = default;
};

}  // namespace event

using EventPayload =
    std::variant<event::StatusChanged, event::UserMessage, event::AssistantMessage,
                 event::AssistantDelta, event::ThoughtDelta, event::ToolCall, event::ToolResult,
                 event::PermissionRequested, event::PermissionResolved, event::Completion,
                 event::TaskError, event::Notice, event::AgentReady, event::SessionCreated,
                 event::SessionResumed, event::SessionEnded, event::SessionImported,
                 event::AgentSilence, event::StateTransition, event::TurnCreated,
                 event::TurnUpdated, event::TurnDetected, event::Audit, event::Custom>;

struct SessionEvent {
  std::string session_id;  // empty: belongs to no session
  std::string project_id;  // empty: belongs to no project
  std::string task_id;     // empty: belongs to no task
  WallTime timestamp;
  EventPayload payload;

  EventType type() const;

  // The name on /api/events: "session_event", the payload's kFeedType, or the service's own name
  // (kCustom).
  std::string_view feed_type() const;

  // Null if it has another payload.
  template <class Payload>
  const Payload* get_if() const {
    return std::get_if<Payload>(&payload);
  }

  bool operator==(const SessionEvent&) const = default;
};

// Whether this is the name of one of Oriel's own events, as a type or on /api/events.
bool is_own_event_type(std::string_view name);

}  // namespace oriel
