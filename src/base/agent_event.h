#pragma once
// What an agent did, in the words that all adapters share. Values only.

#include "base/error.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel {

// Of the text of a message without an end that is kept together, but for the piece that crosses it:
// an agent must not fill the memory. All pieces are passed on.
constexpr std::size_t kMaxMessageBytes = 16 << 20;

// The agent takes prompts from now on.
struct AgentReady {
  std::string agent_session_id;  // the agent's own name of the conversation, to resume it by
  std::string version;           // of the program, where it says so

  bool operator==(const AgentReady&) const = default;
};

// The agent runs, but will not take prompts: it has no login, or does not know the session that was
// to be resumed.
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

// A piece of what it thinks and does not say.
struct ThoughtDelta {
  std::string text;

  bool operator==(const ThoughtDelta&) const = default;
};

// The pieces of a message that are not finished are void: the model is asked again.
struct TextDropped {
  std::string message_id;  // empty: of all messages

  bool operator==(const TextDropped&) const = default;
};

// A message is whole; its text is what counts, whatever pieces came before.
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

// Who answers when an agent asks whether it may: a person, or a rule at once.
enum class PermissionMode { kAsk, kAllow, kDeny };

enum class OptionKind { kAllowOnce, kAllowAlways, kRejectOnce, kRejectAlways };

// "allow_once", ...: the words of ACP, which are Oriel's too.
std::string_view name_of(OptionKind kind);
std::optional<OptionKind> parse_option_kind(std::string_view name);

struct PermissionOption {
  std::string id;
  std::string label;
  OptionKind kind = OptionKind::kAllowOnce;

  bool operator==(const PermissionOption&) const = default;
};

struct Question {
  std::string text;
  std::vector<std::string> choices;  // empty: any text
  bool takes_many = false;

  bool operator==(const Question&) const = default;
};

// The agent waits for a person: may it use a tool (options), or what is the answer (questions).
struct PermissionAsked {
  std::string id;            // the agent's own, unique while it waits
  std::string tool_call_id;  // of the tool it would use; empty when it has none
  std::string title;         // what it would do, or the question, in one line
  boost::json::value input;  // of the tool
  std::vector<PermissionOption> options;
  std::vector<Question> questions;

  bool operator==(const PermissionAsked&) const = default;
};

// The agent no longer waits for this answer.
struct PermissionWithdrawn {
  std::string id;

  bool operator==(const PermissionWithdrawn&) const = default;
};

// What the task has cost so far, in the agent's own numbers under these names, as far as it gives
// them: input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, context_used,
// context_size, cost_usd.
struct UsageReported {
  boost::json::object usage;

  bool operator==(const UsageReported&) const = default;
};

// Something went wrong in the task; the agent goes on or ends the task by itself.
struct ErrorReported {
  std::string message;

  bool operator==(const ErrorReported&) const = default;
};

// Something worth a line that is neither an answer nor an error: the model is asked again, the
// conversation is being compacted.
struct NoticeGiven {
  std::string text;

  bool operator==(const NoticeGiven&) const = default;
};

enum class TaskEnd { kCompleted, kCancelled, kError };

struct TaskEnded {
  TaskEnd reason = TaskEnd::kCompleted;
  std::string detail;  // the agent's own word for it: "max_tokens", "refusal"; empty when plain

  bool operator==(const TaskEnded&) const = default;
};

using AgentEvent =
    std::variant<AgentReady, AgentRefused, TaskStarted, TextDelta, ThoughtDelta, TextDropped,
                 TextFinished, ToolCalled, ToolFinished, PermissionAsked, PermissionWithdrawn,
                 UsageReported, ErrorReported, NoticeGiven, TaskEnded>;

// What a person, or a rule, says to PermissionAsked.
struct PermissionAnswer {
  std::string option_id;             // one of its options; empty: refused without choosing one
  std::vector<std::string> answers;  // one for each of its questions; empty: refused

  bool operator==(const PermissionAnswer&) const = default;
};

}  // namespace oriel
