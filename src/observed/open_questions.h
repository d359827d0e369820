#pragma once
// Unanswered questions of an observed agent. Pure.

#include "base/event/turn.h"
#include "observed/tool_calls.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A tool call that asks a person or needs a permission.
struct OpenQuestion {
  std::string turn_id;
  std::string task_id;
  std::string tool_call_id;       // empty: unknown
  std::uint64_t fingerprint = 0;  // of the tool's name and input
  bool is_permission = false;

  bool operator==(const OpenQuestion&) const = default;
};

class OpenQuestions {
 public:
  OpenQuestions() = default;
  explicit OpenQuestions(std::vector<OpenQuestion> questions);

  const std::vector<OpenQuestion>& all() const { return questions_; }

  // The question of this call: by its id, else by its fingerprint where an id is unknown. Valid
  // until the next change; null: none.
  OpenQuestion* find(const ToolCall& call);

  bool has_any(std::string_view task_id) const;

  void add_question(const Turn& turn, const ToolCall& call);
  void add_permission(const Turn& turn, const ToolCall& call);

  // Removes the questions of this call: its tool was used, or rejected.
  std::vector<OpenQuestion> take(const ToolCall& call);

  // Removes the questions of a task.
  std::vector<OpenQuestion> take_all(std::string_view task_id);

  // The turn was withdrawn.
  void forget(std::string_view turn_id);

  // All questions of a task belong to another.
  void move_all(std::string_view from_task, const std::string& to_task);

  bool operator==(const OpenQuestions&) const = default;

 private:
  std::vector<OpenQuestion> questions_;
};

}  // namespace oriel
