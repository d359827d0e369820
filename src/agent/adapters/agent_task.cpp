#include "agent/adapters/agent_task.h"

#include "base/event/message_piece.h"

#include <utility>

namespace oriel {

void AgentTask::begin() {
  if (is_running_) return;
  is_running_ = true;
  has_failed_ = false;
  finished_.clear();
  tools_.clear();
  usage_ = {};
  events_.emplace_back(TaskStarted{});
}

void AgentTask::delta(std::string_view message_id, std::string_view text) {
  if (!is_running_ || text.empty()) return;
  append_piece(unfinished_[std::string(message_id)], text);
  events_.emplace_back(TextDelta{std::string(message_id), std::string(text)});
}

void AgentTask::thought(std::string_view text) {
  if (is_running_ && !text.empty()) events_.emplace_back(ThoughtDelta{std::string(text)});
}

void AgentTask::drop(std::string_view message_id) {
  const auto found = unfinished_.find(message_id);
  if (found == unfinished_.end()) return;
  unfinished_.erase(found);
  events_.emplace_back(TextDropped{std::string(message_id)});
}

void AgentTask::drop_unfinished() {
  if (unfinished_.empty()) return;
  unfinished_.clear();
  events_.emplace_back(TextDropped{});
}

void AgentTask::finish_text(std::string_view message_id, std::string_view text) {
  if (!is_running_ || text.empty()) return;
  const bool is_repeated = !finished_.emplace(message_id).second;
  const auto found = unfinished_.find(message_id);
  if (is_repeated && found == unfinished_.end()) return;
  if (found != unfinished_.end()) unfinished_.erase(found);
  events_.emplace_back(TextFinished{std::string(message_id), std::string(text)});
}

void AgentTask::finish_unfinished() {
  for (auto& [id, text] : std::exchange(unfinished_, {})) {
    finished_.insert(id);
    events_.emplace_back(TextFinished{id, std::move(text)});
  }
}

void AgentTask::call_tool(std::string_view id, std::string_view name,
                          const boost::json::value& input) {
  if (!is_running_ || id.empty() || !tools_.try_emplace(std::string(id), false).second) return;
  events_.emplace_back(
      ToolCalled{std::string(id), std::string(name.empty() ? "tool" : name), input});
}

void AgentTask::finish_tool(std::string_view id, bool is_ok, std::string_view output) {
  const auto found = tools_.find(id);
  if (!is_running_ || found == tools_.end() || found->second) return;
  found->second = true;
  events_.emplace_back(ToolFinished{std::string(id), is_ok, std::string(output)});
}

void AgentTask::report_usage(const Usage& usage) {
  if (!is_running_) return;
  Usage known = usage_;
  update(known, usage);
  if (known == usage_) return;
  usage_ = known;
  events_.emplace_back(UsageReported{usage_});
}

void AgentTask::error(std::string_view message) {
  if (!is_running_) return notice(message);
  has_failed_ = true;
  events_.emplace_back(ErrorReported{.message = std::string(message)});
}

void AgentTask::notice(std::string_view text) {
  if (!text.empty()) events_.emplace_back(NoticeGiven{std::string(text)});
}

void AgentTask::end(TaskEnd reason, std::string_view detail) {
  if (!is_running_) return;
  finish_unfinished();
  for (auto& [id, has_result] : tools_)
    if (!std::exchange(has_result, true))
      events_.emplace_back(ToolFinished{id, false, "No result: the task ended before it."});
  if (reason == TaskEnd::kError && !has_failed_)
    error("The agent ended the task with an error: " +
          std::string(detail.empty() ? "it gave no reason" : detail));
  is_running_ = false;
  events_.emplace_back(TaskEnded{reason, std::string(detail)});
}

}  // namespace oriel
