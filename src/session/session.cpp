#include "session/session.h"

#include "base/id.h"
#include "base/turn.h"

namespace oriel {
namespace {

std::string in_seconds(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

std::string command_turn_of(std::string_view task_id) {
  const std::size_t name = task_id.find('_');
  if (name == std::string_view::npos) return {};
  return "turn" + std::string(task_id.substr(name));
}

Session::Session(SessionState state, PermissionMode mode, SessionLimits limits)
    : state_(std::move(state)), mode_(mode), limits_(limits) {}

SessionStep Session::create(Moment now) {
  Work work{.now = now, .step = {}};
  state_.created_at = now.wall;
  SessionEvent& event = emit("system", work);
  event.feed_type = "session_created";
  event.text = "session created";
  event.data = boost::json::object{{"agent", state_.agent},
                                   {"project_id", state_.project_id},
                                   {"title", state_.title},
                                   {"workspace", state_.workspace}};
  return finish(std::move(work));
}

SessionStep Session::interrupt(const std::string& reason, Moment now) {
  Work work{.now = now, .step = {}};
  if (!task_ && state_.is_in_task) reopen_task(work);
  lose_agent(work);
  if (has_work()) abandon_work(reason, SessionStatus::kIdle, work);
  if (state_.state != WorkState::kComplete) set_state(WorkState::kIdle, "restart", work);
  return finish(std::move(work));
}

Result<MessageTaken> Session::message(std::string text, const std::string& request_id, Moment now) {
  if (auto before = taken_before(request_id)) return *std::move(before);
  return take_message({.text = std::move(text), .request_id = request_id}, now);
}

Result<MessageTaken> Session::say(UserMessage said, Moment now) {
  if (auto before = taken_before(said.request_id)) return *std::move(before);
  const std::vector<PendingPermission> pending = permissions_.pending();
  if (pending.size() != 1 || pending.front().asked.questions.size() != 1)
    return take_message(std::move(said), now);
  Work work{.now = now, .step = {}};
  MessageTaken taken{.task_id = task_ ? task_->id : "",
                     .turn_id = new_turn_id(),
                     .last_index = state_.last_index,
                     .queued = state_.queue.size(),
                     .permission_id = pending.front().permission_id,
                     .step = {}};
  Decision decision{.is_allowed = {},
                    .option_id = {},
                    .answers = {said.prompt.empty() ? said.text : std::move(said.prompt)},
                    .by = std::move(said.by),
                    .said = std::move(said.origin)};
  decision.said["turn_id"] = taken.turn_id;
  decision.said["text"] = said.text;
  if (!said.request_id.empty()) decision.said["request_id"] = said.request_id;
  const auto resolution = permissions_.decide(taken.permission_id, decision);
  if (!resolution) return resolution.error();
  remember_request(said.request_id, taken);
  answer_agent(*resolution, work);
  taken.step = finish(std::move(work));
  return taken;
}

std::optional<MessageTaken> Session::taken_before(const std::string& request_id) const {
  for (const TakenRequest& taken : state_.requests) {
    if (!request_id.empty() && taken.request_id == request_id)
      return MessageTaken{.task_id = taken.task_id,
                          .turn_id = taken.turn_id,
                          .last_index = taken.last_index,
                          .queued = state_.queue.size(),
                          .is_repeat = true,
                          .step = {}};
  }
  return std::nullopt;
}

void Session::remember_request(const std::string& request_id, const MessageTaken& taken) {
  if (request_id.empty()) return;
  state_.requests.push_back({.request_id = request_id,
                             .task_id = taken.task_id,
                             .turn_id = taken.turn_id,
                             .last_index = taken.last_index});
  if (state_.requests.size() > limits_.max_remembered_requests)
    state_.requests.erase(state_.requests.begin());
}

Result<MessageTaken> Session::take_message(UserMessage said, Moment now) {
  if (state_.status == SessionStatus::kCompleted) {
    return Error{.kind = ErrorKind::kSessionEnded,
                 .message = "session " + state_.session_id + " has ended",
                 .hint = "start a new one"};
  }
  if (state_.queue.size() >= limits_.max_queued_messages) {
    return Error{.kind = ErrorKind::kTooManyMessages,
                 .message = std::to_string(state_.queue.size()) + " messages wait already",
                 .hint = "wait for the task to end, or cancel it"};
  }
  Work work{.now = now, .step = {}};
  MessageTaken taken;
  taken.task_id = new_task_id();
  taken.turn_id = command_turn_of(taken.task_id);
  taken.last_index = state_.last_index;
  SessionEvent& event = emit("message", work);
  event.role = "user";
  event.text = said.text;
  event.task_id = taken.task_id;
  if (!said.request_id.empty()) said.origin["request_id"] = said.request_id;
  if (!said.origin.empty()) event.data = std::move(said.origin);
  remember_request(said.request_id, taken);
  std::string prompt = std::move(said.prompt.empty() ? said.text : said.prompt);
  state_.queue.push_back({.task_id = taken.task_id, .text = std::move(prompt)});
  start_next_task(work);
  taken.queued = state_.queue.size();
  taken.step = finish(std::move(work));
  return taken;
}

Result<TaskCancelled> Session::cancel(Moment now) {
  Work work{.now = now, .step = {}};
  if (task_) {
    const std::string task_id = task_->id;
    if (!task_->is_cancelled) cancel_task(work);
    return TaskCancelled{.task_id = task_id, .step = finish(std::move(work))};
  }
  if (state_.queue.empty()) {
    return Error{.kind = ErrorKind::kNoTask,
                 .message = "session " + state_.session_id + " has no task at work",
                 .hint = "nothing is to be cancelled"};
  }
  const std::string task_id = state_.queue.front().task_id;
  drop_queue("cancelled", "", work);
  set_state(WorkState::kIdle, "cancel", work);
  return TaskCancelled{.task_id = task_id, .step = finish(std::move(work))};
}

Result<PermissionAnswered> Session::answer(const std::string& permission_id,
                                           const Decision& decision, Moment now) {
  auto resolution = permissions_.decide(permission_id, decision);
  if (!resolution) return resolution.error();
  Work work{.now = now, .step = {}};
  answer_agent(*resolution, work);
  return PermissionAnswered{.status = resolution->status, .step = finish(std::move(work))};
}

SessionStep Session::end(Moment now) {
  if (state_.status == SessionStatus::kCompleted) return {};
  Work work{.now = now, .step = {}};
  lose_agent(work);
  if (task_) end_task("cancelled", "the session was ended", SessionStatus::kCompleted, work);
  drop_queue("cancelled", "", work);
  set_status(SessionStatus::kCompleted, work);
  set_state(WorkState::kComplete, "end", work);
  SessionEvent& event = emit("system", work);
  event.feed_type = "session_ended";
  event.text = "session ended";
  event.data = boost::json::object{{"turns", state_.turns}};
  work.step.commands.emplace_back(StopAgent{});
  return finish(std::move(work));
}

SessionStep Session::tick(Moment now) {
  Work work{.now = now, .step = {}};
  for (const Resolution& expired : permissions_.expire(now.steady))
    answer_agent(expired, work);
  if (ready_by_ && now.steady >= *ready_by_) {
    work.step.commands.emplace_back(StopAgent{});
    fail("the agent did not become ready within " + in_seconds(limits_.start_timeout), work);
  }
  if (task_ && task_->give_up_at && now.steady >= *task_->give_up_at) {
    work.step.commands.emplace_back(StopAgent{});
    lose_agent(work);
    complete_task(task_->is_overdue ? "error" : "cancelled",
                  "the agent did not stop by itself and was ended", work);
  }
  const auto overdue_at = task_overdue_at();
  if (overdue_at && now.steady >= *overdue_at) {
    handle(ErrorReported{.message = "the task took longer than " +
                                    in_seconds(limits_.task_timeout) + " and is cancelled"},
           work);
    task_->is_overdue = true;
    cancel_task(work);
  }
  show_due(work);
  return finish(std::move(work));
}

std::optional<SteadyTime> Session::wake_at() const {
  std::optional<SteadyTime> next;
  const auto consider = [&](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(permissions_.next_expiry());
  consider(ready_by_);
  consider(task_overdue_at());
  if (task_) {
    consider(task_->text.next_due());
    consider(task_->give_up_at);
  }
  return next;
}

std::optional<SteadyTime> Session::task_overdue_at() const {
  if (!task_ || task_->is_cancelled || limits_.task_timeout.count() == 0) return std::nullopt;
  return task_->began.steady + limits_.task_timeout;
}

// Copies what only the session knows into the visible state.
SessionStep Session::finish(Work work) {
  if (!work.step.events.empty()) state_.updated_at = work.now.wall;
  state_.is_live = agent_ == AgentPhase::kReady;
  state_.is_in_task = task_.has_value();
  state_.pending = permissions_.pending();
  state_.tools.clear();
  if (task_) {
    for (const OpenCall& call : task_->calls)
      state_.tools.push_back(
          {.tool_call_id = call.id, .tool_name = call.name, .since = call.began.wall});
  }
  return std::move(work.step);
}

}  // namespace oriel
