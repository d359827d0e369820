#pragma once
// Events of an agent, common to all adapters. Values only.

#include "base/error.h"
#include "base/event/permission.h"
#include "base/event/usage.h"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel {

// Maximum bytes kept of an unfinished message, however it comes in pieces. The rest is forwarded
// but not kept. See base/event/message_piece.h.
constexpr std::size_t kMaxMessageBytes = 16 << 20;

// The agent accepts prompts from now on.
struct AgentReady {
  std::string agent_session_id;  // the agent's own id of the conversation, for resuming
  std::string version;           // of the program; empty: unknown

  bool operator==(const AgentReady&) const = default;
};

// The agent runs but does not accept prompts: it has no login, or does not know the session to
// resume.
struct AgentRefused {
  Error error;

  bool operator==(const AgentRefused&) const = default;
};

struct TaskStarted {
  bool operator==(const TaskStarted&) const = default;
};

// A piece of a message of the assistant.
struct TextDelta {
  std::string message_id;
  std::string text;

  bool operator==(const TextDelta&) const = default;
};

// A piece of the agent's reasoning.
struct ThoughtDelta {
  std::string text;

  bool operator==(const ThoughtDelta&) const = default;
};

// Discards the pieces of an unfinished message: the model is asked again.
struct TextDropped {
  std::string message_id;  // empty: of all messages

  bool operator==(const TextDropped&) const = default;
};

// A message is complete. Its text replaces all earlier pieces.
struct TextFinished {
  std::string message_id;
  std::string text;

  bool operator==(const TextFinished&) const = default;
};

struct ToolCalled {
  std::string id;
  std::string name;
  boost::json::value input;

  bool operator==(const ToolCalled&) const = default;
};

struct ToolFinished {
  std::string id;
  bool is_ok = true;
  std::string output;

  bool operator==(const ToolFinished&) const = default;
};

// The agent no longer waits for this answer.
struct PermissionWithdrawn {
  std::string id;

  bool operator==(const PermissionWithdrawn&) const = default;
};

// Usage of the task so far.
struct UsageReported {
  Usage usage;

  bool operator==(const UsageReported&) const = default;
};

// An error in the task. The agent continues, or ends the task itself.
struct ErrorReported {
  std::string message;
  bool fails_task = false;  // the session cancels the task, which then has failed

  bool operator==(const ErrorReported&) const = default;
};

// A notice that is neither an answer nor an error: the model is asked again, the conversation is
// being compacted.
struct NoticeGiven {
  std::string text;

  bool operator==(const NoticeGiven&) const = default;
};

enum class TaskEnd { kCompleted, kCancelled, kError };

std::string_view name_of(TaskEnd end);  // "completed", "cancelled", "error"
std::optional<TaskEnd> parse_task_end(std::string_view name);

struct TaskEnded {
  TaskEnd reason = TaskEnd::kCompleted;
  std::string detail;  // the agent's own reason: "max_tokens", "refusal"; empty: none

  bool operator==(const TaskEnded&) const = default;
};

using AgentEvent =
    std::variant<AgentReady, AgentRefused, TaskStarted, TextDelta, ThoughtDelta, TextDropped,
                 TextFinished, ToolCalled, ToolFinished, PermissionAsked, PermissionWithdrawn,
                 UsageReported, ErrorReported, NoticeGiven, TaskEnded>;

}  // namespace oriel
