#include "agent/adapters/line_adapter.h"

#include "base/text/json_text.h"

#include <utility>

namespace oriel {

AgentStep LineAdapter::receive_parsed(std::optional<boost::json::value> message) {
  if (message)
    handle(*message);
  else
    step_.is_noise = true;
  return take_step();
}

AgentStep LineAdapter::prompt(std::string_view text) {
  task_.begin();
  is_cancelling_ = false;
  send_prompt(text);
  return take_step();
}

AgentStep LineAdapter::cancel() {
  if (!task_.is_running()) return {};
  is_cancelling_ = true;
  send_interrupt();
  refuse_questions();
  return take_step();
}

AgentStep LineAdapter::answer(std::string_view permission_id, const PermissionAnswer& answer) {
  const auto found = questions_.find(permission_id);
  if (found == questions_.end()) return {};
  const OpenQuestion question = std::move(questions_.extract(found).mapped());
  send_answer(question, answer);
  return take_step();
}

void LineAdapter::send(const boost::json::object& message) {
  step_.lines.push_back(json_text(message));
}

void LineAdapter::ask(OpenQuestion question) {
  if (is_cancelling_) return send_answer(question, {});
  const auto [place, is_new] = questions_.try_emplace(question.asked.id, std::move(question));
  if (is_new) emit(place->second.asked);
}

void LineAdapter::withdraw(std::string_view permission_id) {
  const auto found = questions_.find(permission_id);
  if (found == questions_.end()) return;
  emit(PermissionWithdrawn{found->first});
  questions_.erase(found);
}

void LineAdapter::end_task(TaskEnd reason, std::string_view detail) {
  refuse_questions();
  task_.end(reason, detail);
  is_cancelling_ = false;
}

void LineAdapter::refuse_questions() {
  for (const auto& [id, question] : std::exchange(questions_, {})) {
    send_answer(question, {});
    emit(PermissionWithdrawn{id});
  }
}

}  // namespace oriel
