// What follows from what the agent does.

#include "base/id.h"
#include "base/text/json_text.h"
#include "base/turn.h"
#include "session/session.h"

#include <algorithm>

namespace oriel {
namespace {

std::string_view name_of(TaskEnd reason) {
  switch (reason) {
    case TaskEnd::kCompleted:
      return "completed";
    case TaskEnd::kCancelled:
      return "cancelled";
    case TaskEnd::kError:
      break;
  }
  return "error";
}

}  // namespace

SessionStep Session::on_agent(std::vector<AgentEvent> events, Moment now) {
  Work work{.now = now, .step = {}};
  for (const AgentEvent& event : events) {
    if (agent_ == AgentPhase::kNone) break;  // given up: it has no task and nobody to ask
    std::visit([&](const auto& happened) { handle(happened, work); }, event);
  }
  show_due(work);
  return finish(std::move(work));
}

SessionStep Session::on_agent_gone(const std::string& reason, Moment now) {
  if (agent_ == AgentPhase::kNone) return {};
  Work work{.now = now, .step = {}};
  fail("the agent " + reason, work);
  return finish(std::move(work));
}

SessionStep Session::on_agent_rested(Moment now) {
  return on_agent_gone("rests", now);
}

void Session::handle(const AgentReady& event, Work& work) {
  if (agent_ == AgentPhase::kReady) return;
  agent_ = AgentPhase::kReady;
  ready_by_.reset();
  if (!event.agent_session_id.empty()) state_.agent_session_id = event.agent_session_id;
  SessionEvent& ready = emit("system", work);
  ready.text =
      event.version.empty() ? "the agent is ready" : "the agent is ready: " + event.version;
  ready.data = boost::json::object{{"agent_session_id", state_.agent_session_id}};
  start_next_task(work);
}

void Session::handle(const AgentRefused& event, Work& work) {
  work.step.commands.emplace_back(StopAgent{});
  fail(describe(event.error), work);
}

// Without a task the agent begins one of its own. While it starts, it may tell an old one again.
void Session::handle(const TaskStarted&, Work& work) {
  if (task_ || agent_ != AgentPhase::kReady) return;
  open_task(new_task_id(), work);
  set_state(WorkState::kCommanded, "agent", work);
}

void Session::handle(const TextDelta& event, Work& work) {
  if (!task_ || event.text.empty()) return;
  begin_work(work);
  const unsigned number = task_->text.add(event.message_id, event.text, work.now.steady);
  SessionEvent& delta = emit("delta", work);
  delta.role = "assistant";
  delta.text = event.text;
  delta.data = boost::json::object{{"message", number}};
}

void Session::handle(const ThoughtDelta& event, Work& work) {
  if (!task_ || event.text.empty()) return;
  begin_work(work);
  SessionEvent& delta = emit("delta", work);
  delta.role = "thought";
  delta.text = event.text;
}

void Session::handle(const TextDropped& event, Work& work) {
  if (task_) show(task_->text.drop(event.message_id, work.now.steady), work);
}

void Session::handle(const TextFinished& event, Work& work) {
  if (!task_ || event.text.empty()) return;
  begin_work(work);
  if (auto message = task_->text.finish(event.message_id, event.text, work.now.steady))
    show({*std::move(message)}, work);
}

void Session::handle(const ToolCalled& event, Work& work) {
  if (!task_ || !task_->known_calls.insert(event.id).second) return;
  begin_work(work);
  task_->calls.push_back({.id = event.id, .name = event.name, .began = work.now});
  SessionEvent& call = emit("tool_call", work);
  call.tool_name = event.name;
  call.tool_call_id = event.id;
  call.status = "running";
  call.text = json_text(event.input);
}

void Session::handle(const ToolFinished& event, Work& work) {
  if (!task_) return;
  const auto call = std::find_if(task_->calls.begin(), task_->calls.end(),
                                 [&](const OpenCall& other) { return other.id == event.id; });
  if (call == task_->calls.end()) return;
  begin_work(work);
  close_call(*call, event.is_ok, event.output, work);
  task_->calls.erase(call);
}

void Session::handle(const PermissionAsked& event, Work& work) {
  if (task_) begin_work(work);
  if (task_ && task_->is_cancelled) {
    work.step.commands.emplace_back(AnswerAgent{.permission_id = event.id, .answer = {}});
    return;
  }
  if (auto answer = answer_by_rule(event, mode_)) {
    PendingPermission permission{.permission_id = "perm_" + random_id(),
                                 .asked = event,
                                 .asked_at = work.now.wall,
                                 .expires_at = {}};
    std::string status = status_of(event, *answer);
    answer_agent({.permission = std::move(permission),
                  .status = std::move(status),
                  .by = "rule",
                  .answer = *std::move(answer)},
                 work);
    return;
  }
  const PendingPermission pending = permissions_.ask(event, work.now, limits_.permission_timeout);
  SessionEvent& asked = emit("permission", work);
  asked.feed_type = "permission_requested";
  asked.text = event.title;
  asked.tool_call_id = event.tool_call_id;
  asked.status = "pending";
  asked.data = to_json(pending);
  set_state(WorkState::kAwaitingInput, "permission", work);
}

void Session::handle(const PermissionWithdrawn& event, Work& work) {
  for (const Resolution& withdrawn : permissions_.withdraw(event.id))
    resolve(withdrawn, work);
}

void Session::handle(const UsageReported& event, Work&) {
  if (!task_) return;
  for (const auto& [key, value] : event.usage)
    task_->usage[key] = value;
}

void Session::handle(const ErrorReported& event, Work& work) {
  if (!task_) return note(event.message, work);
  begin_work(work);
  emit("error", work).text = event.message;
}

void Session::handle(const NoticeGiven& event, Work& work) {
  note(event.text, work);
}

void Session::handle(const TaskEnded& event, Work& work) {
  if (!task_) return;
  std::string_view how = name_of(event.reason);
  if (task_->is_cancelled && event.reason != TaskEnd::kError) how = "cancelled";
  if (task_->is_overdue) how = "error";
  complete_task(how, event.detail, work);
}

}  // namespace oriel
