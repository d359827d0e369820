#pragma once
// The details of a turn besides its text, by the kind of turn. Values only. One serializer writes
// the wire form, one parser reads it back.

#include "base/event/agent_event.h"
#include "base/event/permission.h"
#include "base/time.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel {

// How a question of an observed agent ended.
enum class QuestionStatus { kPending, kAnswered, kRefused, kDismissed };

std::string_view name_of(QuestionStatus status);  // "pending", ...
std::optional<QuestionStatus> parse_question_status(std::string_view name);

// Of the question that a hosted agent's permission makes. The turn has its title and time.
struct PermissionQuestion {
  std::string permission_id;
  std::string tool_call_id;
  boost::json::value input;
  boost::json::value details = {};  // null: none
  std::vector<PermissionOption> options;
  std::vector<Question> questions;
  std::optional<WallTime> expires_at;
  PermissionStatus status = PermissionStatus::kPending;

  bool operator==(const PermissionQuestion&) const = default;
};

// Of a person's answer to it.
struct PermissionDecision {
  std::string permission_id;
  PermissionStatus status = PermissionStatus::kAnswered;
  std::string by;  // the principal

  bool operator==(const PermissionDecision&) const = default;
};

// Of the question that an observed agent's tool asks, or for whose use it needs a permission.
struct ToolQuestion {
  std::string tool_name;
  std::string tool_call_id;  // empty: unknown
  boost::json::value input;
  std::vector<Question> questions;
  QuestionStatus status = QuestionStatus::kPending;

  bool operator==(const ToolQuestion&) const = default;
};

// Of the answer to it.
struct ToolAnswer {
  std::string tool_call_id;

  bool operator==(const ToolAnswer&) const = default;
};

// Of a hosted agent's completion.
struct CompletionOutcome {
  TaskEnd status = TaskEnd::kCompleted;
  std::string detail = {};

  bool operator==(const CompletionOutcome&) const = default;
};

// Most turns have none.
using TurnData = std::variant<std::monostate, PermissionQuestion, PermissionDecision, ToolQuestion,
                              ToolAnswer, CompletionOutcome>;

// Whether it belongs to an open question.
bool is_pending(const TurnData& data);

// Empty: there is none.
boost::json::object to_json(const TurnData& data);

// Parses the output of to_json(). None if it is of another shape; missing and malformed members
// read as empty.
TurnData parse_turn_data(const boost::json::object& json);

}  // namespace oriel
