#include "observed/open_questions.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

OpenQuestion question_of(const Turn& turn, const ToolCall& call, bool is_permission) {
  return {.turn_id = turn.turn_id,
          .task_id = turn.task_id,
          .tool_call_id = call.id,
          .fingerprint = call.fingerprint,
          .is_permission = is_permission};
}

}  // namespace

OpenQuestions::OpenQuestions(std::vector<OpenQuestion> questions)
    : questions_(std::move(questions)) {}

OpenQuestion* OpenQuestions::find(const ToolCall& call) {
  const auto find_first = [&](auto fits) {
    const auto found = std::find_if(questions_.begin(), questions_.end(), fits);
    return found == questions_.end() ? nullptr : &*found;
  };
  OpenQuestion* const by_id = find_first([&](const OpenQuestion& question) {
    return !call.id.empty() && question.tool_call_id == call.id;
  });
  if (by_id) return by_id;
  return find_first([&](const OpenQuestion& question) {
    return question.fingerprint == call.fingerprint &&
           (call.id.empty() || question.tool_call_id.empty());
  });
}

bool OpenQuestions::has_any(std::string_view task_id) const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [&](const OpenQuestion& question) { return question.task_id == task_id; });
}

void OpenQuestions::add_question(const Turn& turn, const ToolCall& call) {
  questions_.push_back(question_of(turn, call, false));
}

void OpenQuestions::add_permission(const Turn& turn, const ToolCall& call) {
  questions_.push_back(question_of(turn, call, true));
}

std::vector<OpenQuestion> OpenQuestions::take(const ToolCall& call) {
  std::vector<OpenQuestion> taken;
  while (const OpenQuestion* const found = find(call)) {
    taken.push_back(*found);
    questions_.erase(questions_.begin() + (found - questions_.data()));
  }
  return taken;
}

std::vector<OpenQuestion> OpenQuestions::take_all(std::string_view task_id) {
  std::vector<OpenQuestion> taken;
  std::erase_if(questions_, [&](const OpenQuestion& question) {
    if (question.task_id != task_id) return false;
    taken.push_back(question);
    return true;
  });
  return taken;
}

void OpenQuestions::forget(std::string_view turn_id) {
  std::erase_if(questions_, [&](const OpenQuestion& each) { return each.turn_id == turn_id; });
}

void OpenQuestions::move_all(std::string_view from_task, const std::string& to_task) {
  for (OpenQuestion& question : questions_) {
    if (question.task_id == from_task) question.task_id = to_task;
  }
}

}  // namespace oriel
