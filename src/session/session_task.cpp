// How tasks begin and end, and what is said of it.

#include "session/session.h"

#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr std::size_t kMaxLastText = 500;
constexpr std::string_view kNoResult = "no result: the task ended before the tool did";

// The end of a text, cut between characters.
std::string tail_of(const std::string& text) {
  if (text.size() <= kMaxLastText) return text;
  std::size_t first = text.size() - kMaxLastText;
  const auto is_inside = [](char byte) { return (static_cast<unsigned char>(byte) >> 6) == 2; };
  while (first < text.size() && is_inside(text[first]))
    ++first;
  return text.substr(first);
}

std::int64_t since(const Moment& then, const Moment& now) {
  return std::chrono::duration_cast<milliseconds>(now.steady - then.steady).count();
}

json::value sum_of(const json::value& a, const json::value& b) {
  if (a.is_double() || b.is_double()) return a.to_number<double>() + b.to_number<double>();
  return a.to_number<std::int64_t>() + b.to_number<std::int64_t>();
}

// What a task has cost is added; how full the context is, is as it was told last.
void add_usage(json::object& total, const json::object& usage) {
  for (const auto& [key, value] : usage) {
    json::value& held = total[key];
    const bool adds_up = held.is_number() && value.is_number() && !key.starts_with("context_");
    held = adds_up ? sum_of(held, value) : value;
  }
}

}  // namespace

void Session::open_task(std::string task_id, Work& work) {
  task_.emplace();
  task_->id = std::move(task_id);
  task_->began = work.now;
  state_.task_id = task_->id;
  ++state_.turns;
}

// The task of a process that is no more, as far as the document knows it.
void Session::reopen_task(Work& work) {
  task_.emplace();
  task_->id = state_.task_id;
  task_->began = work.now;
  for (const ToolAtWork& tool : state_.tools) {
    const Moment began{.wall = tool.since,
                       .steady = work.now.steady - (work.now.wall - tool.since)};
    task_->calls.push_back({.id = tool.tool_call_id, .name = tool.tool_name, .began = began});
  }
}

void Session::start_next_task(Work& work) {
  if (task_ || state_.queue.empty()) return;
  set_state(WorkState::kCommanded, "message", work);
  if (agent_ == AgentPhase::kStarting) return;
  if (agent_ == AgentPhase::kNone) {
    agent_ = AgentPhase::kStarting;
    ready_by_ = work.now.steady + limits_.start_timeout;
    work.step.commands.emplace_back(StartAgent{.resume_id = state_.agent_session_id});
    return;
  }
  QueuedMessage next = std::move(state_.queue.front());
  state_.queue.erase(state_.queue.begin());
  open_task(std::move(next.task_id), work);
  work.step.commands.emplace_back(PromptAgent{.text = std::move(next.text)});
}

void Session::begin_work(Work& work) {
  set_status(SessionStatus::kRunning, work);
  set_state(WorkState::kProcessing, "work", work);
}

void Session::cancel_task(Work& work) {
  task_->is_cancelled = true;
  task_->give_up_at = work.now.steady + limits_.cancel_timeout;
  withdraw_all(work);
  work.step.commands.emplace_back(CancelTask{});
}

// Closes what is open.
void Session::end_task(std::string_view how, const std::string& detail, SessionStatus next,
                       Work& work) {
  begin_work(work);
  withdraw_all(work);
  show(task_->text.finish_all(work.now.steady), work);
  for (const OpenCall& call : task_->calls)
    close_call(call, false, std::string(kNoResult), work);
  SessionEvent& completion = emit("completion", work);
  completion.role = "assistant";
  completion.text = task_->text.last_text();
  completion.status = how;
  if (!task_->usage.empty()) {
    state_.usage = task_->usage;
    add_usage(state_.total_usage, task_->usage);
    completion.usage = task_->usage;
  }
  json::object data{{"duration_ms", since(task_->began, work.now)}};
  if (!detail.empty()) data["detail"] = detail;
  completion.data = std::move(data);
  set_status(next, work, detail);
  task_.reset();
}

void Session::complete_task(std::string_view how, const std::string& detail, Work& work) {
  end_task(how, detail, SessionStatus::kIdle, work);
  set_state(WorkState::kComplete, "completion", work);
  start_next_task(work);
}

void Session::close_call(const OpenCall& call, bool is_ok, const std::string& output, Work& work) {
  SessionEvent& result = emit("tool_result", work);
  result.tool_name = call.name;
  result.tool_call_id = call.id;
  result.status = is_ok ? "ok" : "error";
  result.text = output;
  result.data = json::object{{"duration_ms", since(call.began, work.now)}};
}

// The task at work and the messages that wait end for the same reason.
void Session::abandon_work(const std::string& reason, SessionStatus next, Work& work) {
  if (task_) begin_work(work);
  SessionEvent& error = emit("error", work);
  error.text = reason;
  if (!task_) error.task_id = state_.queue.front().task_id;
  if (task_) end_task("error", reason, next, work);
  drop_queue("error", reason, work);
}

void Session::drop_queue(std::string_view how, const std::string& reason, Work& work) {
  for (const QueuedMessage& queued : state_.queue) {
    SessionEvent& completion = emit("completion", work);
    completion.role = "assistant";
    completion.task_id = queued.task_id;
    completion.status = how;
    json::object data{{"duration_ms", 0}};
    if (!reason.empty()) data["detail"] = "not sent to the agent: " + reason;
    completion.data = std::move(data);
  }
  state_.queue.clear();
}

void Session::lose_agent(Work& work) {
  agent_ = AgentPhase::kNone;
  ready_by_.reset();
  withdraw_all(work);
}

// It is a failure only to those who wait for the agent.
void Session::fail(const std::string& reason, Work& work) {
  lose_agent(work);
  if (!has_work()) return note(reason + "; the next message starts it again", work);
  abandon_work(reason, SessionStatus::kFailed, work);
  set_status(SessionStatus::kFailed, work, reason);
  set_state(WorkState::kIdle, "failure", work);
}

void Session::answer_agent(const Resolution& resolution, Work& work) {
  work.step.commands.emplace_back(
      AnswerAgent{.permission_id = resolution.permission.asked.id, .answer = resolution.answer});
  resolve(resolution, work);
}

void Session::resolve(const Resolution& resolution, Work& work) {
  const PendingPermission& permission = resolution.permission;
  SessionEvent& event = emit("permission", work);
  event.feed_type = "permission_resolved";
  event.text = permission.asked.title;
  event.tool_call_id = permission.asked.tool_call_id;
  event.status = resolution.status;
  json::object data = to_json(permission);
  data["by"] = resolution.by;
  data["option_id"] = resolution.answer.option_id;
  data["answers"] = json::value_from(resolution.answer.answers);
  if (!resolution.said.empty()) data["said"] = resolution.said;
  event.data = std::move(data);
  if (state_.state != WorkState::kAwaitingInput) return;
  const WorkState waiting = has_work() ? WorkState::kCommanded : WorkState::kIdle;
  set_state(state_.status == SessionStatus::kRunning ? WorkState::kProcessing : waiting, "answer",
            work);
}

void Session::withdraw_all(Work& work) {
  for (const Resolution& withdrawn : permissions_.withdraw_all())
    resolve(withdrawn, work);
}

void Session::show(const std::vector<ShownMessage>& messages, Work& work) {
  for (const ShownMessage& message : messages) {
    SessionEvent& event = emit("message", work);
    event.role = "assistant";
    event.text = message.text;
    event.data = json::object{{"message", message.number}};
    state_.last_text = tail_of(message.text);
  }
}

void Session::show_due(Work& work) {
  if (!task_) return;
  if (auto message = task_->text.due(work.now.steady)) show({*std::move(message)}, work);
}

void Session::set_status(SessionStatus status, Work& work, const std::string& reason) {
  state_.reason = status == SessionStatus::kFailed ? reason : "";
  if (state_.status == status) return;
  state_.status = status;
  SessionEvent& event = emit("status", work);
  event.text = name_of(status);
  event.status = name_of(status);
  if (!state_.reason.empty()) event.data = json::object{{"reason", state_.reason}};
}

// While somebody is asked, that is what a person wants to know.
void Session::set_state(WorkState state, std::string_view trigger, Work& work) {
  if (!permissions_.empty()) state = WorkState::kAwaitingInput;
  if (state_.state == state) return;
  const std::string from(name_of(state_.state));
  state_.state = state;
  SessionEvent& event = emit("system", work);
  event.feed_type = "state_transition";
  event.text = from + " -> " + std::string(name_of(state));
  event.data = json::object{{"agent_id", state_.session_id},
                            {"project_id", state_.project_id},
                            {"from_state", from},
                            {"to_state", name_of(state)},
                            {"trigger", trigger},
                            {"timestamp", format_time(work.now.wall)}};
}

void Session::note(const std::string& text, Work& work) {
  emit("system", work).text = text;
}

// Before any other event of the task its text is shown as far as it has come.
SessionEvent& Session::emit(std::string type, Work& work) {
  if (task_ && type != "delta" && type != "message") show(task_->text.flush(work.now.steady), work);
  SessionEvent event;
  event.type = std::move(type);
  event.feed_type = "session_event";
  event.session_id = state_.session_id;
  event.project_id = state_.project_id;
  event.timestamp = work.now.wall;
  if (task_) event.task_id = task_->id;
  ++state_.last_index;
  work.step.events.push_back(std::move(event));
  return work.step.events.back();
}

}  // namespace oriel
