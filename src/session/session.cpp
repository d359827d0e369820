#include "session/session.h"

#include "base/id.h"

#include <algorithm>

namespace oriel {
namespace {

std::string in_seconds(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

// Of a message that the agent has not got.
event::Completion cancellation(const std::string& by) {
  event::Completion completion;
  completion.outcome = TaskEnd::kCancelled;
  completion.by = by;
  return completion;
}

Error may_not_answer() {
  return {.kind = ErrorKind::kMissingScope,
          .message = "the agent waits for an answer, which needs the scope answer",
          .hint = "use a token that has it, or send a message to /api/sessions/{id}/messages"};
}

}  // namespace

Session::Session(SessionState state, PermissionMode mode, SessionLimits limits)
    : state_(std::move(state)),
      mode_(mode),
      limits_(limits),
      turns_(state_.session_id, state_.project_id) {}

SessionStep Session::create(Moment now) {
  StepBuilder step(state_, now);
  state_.created_at = now.wall;
  state_.state_since = now.wall;
  emit(event::SessionCreated{.agent = state_.agent,
                             .title = state_.title,
                             .workspace = state_.workspace,
                             .is_observed = false,
                             .by = state_.owner},
       step);
  return finish(step);
}

SessionStep Session::interrupt(const std::string& reason, Moment now,
                               const std::vector<Turn>& turns) {
  StepBuilder step(state_, now);
  if (!task_ && state_.is_in_task) task_.emplace(state_.task_id, state_.tools, now);
  lose_agent(step);
  withdraw_lost(turns, step);
  if (has_work()) abandon_work(reason, SessionStatus::kIdle, step);
  if (state_.state != WorkState::kComplete)
    set_state(WorkState::kIdle, StateTrigger::kRestart, step);
  return finish(step);
}

SessionStep Session::note(const std::string& text, Moment now) {
  StepBuilder step(state_, now);
  emit(event::Notice{.text = text}, step);
  return finish(step);
}

SessionStep Session::move_to(std::string workspace, const std::string& why, Moment now) {
  state_.workspace = std::move(workspace);
  return note(why, now);
}

// Messages.

Result<MessageTaken> Session::message(UserMessage said, Moment now) {
  if (auto before = messages().repeated(said.request_id)) return *std::move(before);
  return take_message(std::move(said), now);
}

Result<MessageTaken> Session::say(UserMessage said, Moment now) {
  if (auto before = messages().repeated(said.request_id)) return *std::move(before);
  const std::vector<PendingPermission> pending = permissions_.pending();
  if (pending.size() != 1 || pending.front().asked.questions.size() != 1)
    return take_message(std::move(said), now);
  if (!said.may_answer) return may_not_answer();
  StepBuilder step(state_, now);
  MessageTaken taken{.task_id = task_ ? task_->id() : "",
                     .turn_id = new_turn_id(),
                     .last_index = state_.last_index,
                     .queued = state_.queue.size(),
                     .permission_id = pending.front().permission_id,
                     .step = {}};
  event::Reply reply{.turn_id = taken.turn_id,
                     .text = said.text,
                     .request_id = said.request_id,
                     .origin = std::move(said.origin)};
  const Decision decision{.is_allowed = {},
                          .option_id = {},
                          .answers = {said.prompt.empty() ? said.text : std::move(said.prompt)},
                          .by = std::move(said.by),
                          .reply = std::move(reply)};
  const auto resolution = permissions_.decide(taken.permission_id, decision);
  if (!resolution) return resolution.error();
  messages().remember(said.request_id, taken);
  answer_agent(*resolution, step);
  taken.step = finish(step);
  return taken;
}

Result<MessageTaken> Session::take_message(UserMessage said, Moment now) {
  StepBuilder step(state_, now);
  std::string title = std::move(said.title);
  Result<MessageTaken> taken = messages().push(std::move(said), step);
  if (!taken) return taken;
  if (state_.title.empty()) state_.title = std::move(title);
  start_next_task(step);
  taken->queued = state_.queue.size();
  taken->step = finish(step);
  return taken;
}

MessageQueue Session::messages() {
  return {state_,
          {.max_queued = limits_.max_queued_messages,
           .max_remembered = limits_.max_remembered_requests}};
}

Result<TaskCancelled> Session::cancel(const std::string& by, Moment now) {
  StepBuilder step(state_, now);
  if (task_) {
    const std::string task_id = task_->id();
    if (!task_->is_cancelled()) cancel_task(by, false, step);
    return TaskCancelled{.task_id = task_id, .step = finish(step)};
  }
  if (state_.queue.empty()) {
    return Error{.kind = ErrorKind::kNoTask,
                 .message = "session " + state_.session_id + " has no running task",
                 .hint = "no action is needed"};
  }
  const std::string task_id = state_.queue.front().task_id;
  messages().drop_all(cancellation(by), step);
  set_state(WorkState::kIdle, StateTrigger::kCancel, step);
  return TaskCancelled{.task_id = task_id, .step = finish(step)};
}

SessionStep Session::end(const std::string& by, Moment now) {
  if (state_.status == SessionStatus::kCompleted) return {};
  StepBuilder step(state_, now);
  lose_agent(step);
  if (task_) {
    task_->cancel(by, now.steady, false);
    end_task(TaskEnd::kCancelled, "the session was ended", SessionStatus::kCompleted, step);
  }
  messages().drop_all(cancellation(by), step);
  set_status(SessionStatus::kCompleted, step);
  set_state(WorkState::kComplete, StateTrigger::kEnd, step);
  emit(event::SessionEnded{.turns = 0, .reason = {}, .by = by}, step);
  step.command(StopAgent{});
  SessionStep last = finish(step);
  for (SessionEvent& event : last.events) {
    if (auto* const ended = std::get_if<event::SessionEnded>(&event.payload))
      ended->turns = state_.turns;  // with those of this step
  }
  return last;
}

// Time.

SessionStep Session::tick(Moment now) {
  StepBuilder step(state_, now);
  for (const Resolution& expired : permissions_.expire(now.steady))
    answer_agent(expired, step);
  if (ready_by_ && now.steady >= *ready_by_) {
    step.command(StopAgent{});
    fail("the agent did not become ready within " + in_seconds(limits_.start_timeout), step);
  }
  if (task_ && task_->give_up_at() && now.steady >= *task_->give_up_at()) {
    step.command(StopAgent{});
    lose_agent(step);
    complete_task(task_->has_failed() ? TaskEnd::kError : TaskEnd::kCancelled,
                  "the agent did not stop by itself and was ended", step);
  }
  const auto overdue_at = task_overdue_at();
  if (overdue_at && now.steady >= *overdue_at) {
    on(ErrorReported{.message = "the task took longer than " + in_seconds(limits_.task_timeout) +
                                " and is cancelled",
                     .fails_task = true},
       step);
  }
  if (task_) task_->show_due(step);
  return finish(step);
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
    consider(task_->next_due());
    consider(task_->give_up_at());
  }
  return next;
}

std::optional<SteadyTime> Session::task_overdue_at() const {
  if (!task_ || task_->is_cancelled() || limits_.task_timeout.count() == 0) return std::nullopt;
  return task_->began().steady + limits_.task_timeout;
}

// The agent.

SessionStep Session::on_agent(std::vector<AgentEvent> events, Moment now) {
  StepBuilder step(state_, now);
  for (AgentEvent& event : events) {
    if (agent_ == AgentPhase::kNone) break;  // it was given up
    if (begin_anew(event, step)) break;      // the rest is of the agent that is stopped
    std::visit([&](auto& happened) { on(std::move(happened), step); }, event);
  }
  if (task_) task_->show_due(step);
  return finish(step);
}

SessionStep Session::on_agent_gone(const std::string& reason, Moment now) {
  if (agent_ == AgentPhase::kNone) return {};
  StepBuilder step(state_, now);
  fail("the agent " + reason, step);
  return finish(step);
}

SessionStep Session::on_agent_idle(Moment now) {
  return on_agent_gone("was idle and is stopped", now);
}

void Session::on(const AgentReady& event, StepBuilder& step) {
  if (agent_ == AgentPhase::kReady) return;
  agent_ = AgentPhase::kReady;
  ready_by_.reset();
  if (!event.agent_session_id.empty()) state_.agent_session_id = event.agent_session_id;
  emit(event::AgentReady{.version = event.version, .agent_session_id = state_.agent_session_id},
       step);
  start_next_task(step);
}

void Session::on(const AgentRefused& event, StepBuilder& step) {
  step.command(StopAgent{});
  fail(describe(event.error), step);
}

// Starts a new conversation if the agent cannot resume the old one, which would fail every time.
bool Session::begin_anew(const AgentEvent& event, StepBuilder& step) {
  const auto* const refused = std::get_if<AgentRefused>(&event);
  if (!refused || refused->error.kind != ErrorKind::kCannotResume) return false;
  if (agent_ != AgentPhase::kStarting || state_.agent_session_id.empty()) return false;
  step.emit(state_.queue.empty() ? "" : state_.queue.front().task_id,
            event::Notice{.text = refused->error.message +
                                  "; a new conversation begins without the earlier messages"});
  state_.agent_session_id.clear();
  ready_by_ = step.now().steady + limits_.start_timeout;
  step.command(StopAgent{});
  step.command(StartAgent{.resume_id = ""});
  return true;
}

// Without a task the agent begins one of its own. While it starts, it may repeat an old one.
void Session::on(const TaskStarted&, StepBuilder& step) {
  if (task_ || agent_ != AgentPhase::kReady) return;
  open_task(new_task_id(), step);
  set_state(WorkState::kCommanded, StateTrigger::kAgent, step);
}

void Session::on(IsWork auto&& event, StepBuilder& step) {
  if (!task_ || !task_->accepts(event)) return;
  begin_work(step);
  task_->on(std::forward<decltype(event)>(event), step);
}

void Session::on(const TextDropped& event, StepBuilder& step) {
  if (task_) task_->drop(event, step);
}

void Session::on(const UsageReported& event, StepBuilder&) {
  if (task_) task_->update_usage(event.usage);
}

void Session::on(const ErrorReported& event, StepBuilder& step) {
  if (!task_) return emit(event::Notice{.text = event.message}, step);
  begin_work(step);
  emit(event::TaskError{.message = event.message}, step);
  if (event.fails_task && !task_->is_cancelled()) cancel_task("", true, step);
}

void Session::on(const NoticeGiven& event, StepBuilder& step) {
  emit(event::Notice{.text = event.text}, step);
}

void Session::on(const TaskEnded& event, StepBuilder& step) {
  if (!task_) return;
  TaskEnd outcome = event.reason;
  if (task_->is_cancelled() && outcome != TaskEnd::kError) outcome = TaskEnd::kCancelled;
  if (task_->has_failed()) outcome = TaskEnd::kError;
  complete_task(outcome, event.detail, step);
}

// Permissions.

void Session::on(const PermissionAsked& event, StepBuilder& step) {
  if (task_) begin_work(step);
  if (task_ && task_->is_cancelled())
    return step.command(AnswerAgent{.permission_id = event.id, .answer = {}});
  Admission admission = permissions_.admit(event, mode_, step.now(), limits_.permission_timeout);
  if (const auto* const resolution = std::get_if<Resolution>(&admission.outcome))
    return answer_agent(*resolution, step);
  if (!admission.notice.empty()) emit(event::Notice{.text = std::move(admission.notice)}, step);
  emit(event::PermissionRequested{.permission =
                                      std::get<PendingPermission>(std::move(admission.outcome))},
       step);
  set_state(WorkState::kAwaitingInput, StateTrigger::kPermission, step);
}

void Session::on(const PermissionWithdrawn& event, StepBuilder& step) {
  for (const Resolution& withdrawn : permissions_.withdraw(event.id))
    resolve(withdrawn, step);
}

Result<PermissionAnswered> Session::answer(const std::string& permission_id,
                                           const Decision& decision, Moment now) {
  const auto resolution = permissions_.decide(permission_id, decision);
  if (!resolution) return resolution.error();
  StepBuilder step(state_, now);
  answer_agent(*resolution, step);
  return PermissionAnswered{.status = resolution->status, .step = finish(step)};
}

void Session::answer_agent(const Resolution& resolution, StepBuilder& step) {
  step.command(
      AnswerAgent{.permission_id = resolution.permission.asked.id, .answer = resolution.answer});
  resolve(resolution, step);
}

void Session::resolve(const Resolution& resolution, StepBuilder& step) {
  emit(resolution, step);
  if (state_.state != WorkState::kAwaitingInput) return;
  const WorkState waiting = has_work() ? WorkState::kCommanded : WorkState::kIdle;
  set_state(state_.status == SessionStatus::kRunning ? WorkState::kProcessing : waiting,
            StateTrigger::kAnswer, step);
}

void Session::withdraw_all(StepBuilder& step) {
  for (const Resolution& withdrawn : permissions_.withdraw_all())
    resolve(withdrawn, step);
}

// Nobody waits for the answers any more.
void Session::withdraw_lost(const std::vector<Turn>& turns, StepBuilder& step) {
  for (PendingPermission& lost : turns_.restore(turns)) {
    emit(event::PermissionResolved{.permission = std::move(lost),
                                   .status = PermissionStatus::kWithdrawn,
                                   .by = {.kind = DeciderKind::kRestart},
                                   .answer = {},
                                   .reply = {}},
         step);
  }
}

// How tasks begin and end.

void Session::open_task(std::string task_id, StepBuilder& step) {
  task_.emplace(std::move(task_id), step.now());
  state_.task_id = task_->id();
}

void Session::start_next_task(StepBuilder& step) {
  if (task_ || state_.queue.empty()) return;
  set_state(WorkState::kCommanded, StateTrigger::kMessage, step);
  if (agent_ == AgentPhase::kStarting) return;
  if (agent_ == AgentPhase::kNone) {
    agent_ = AgentPhase::kStarting;
    ready_by_ = step.now().steady + limits_.start_timeout;
    return step.command(StartAgent{.resume_id = state_.agent_session_id});
  }
  QueuedMessage next = messages().pop();
  open_task(std::move(next.task_id), step);
  step.command(PromptAgent{.text = std::move(next.text)});
}

void Session::begin_work(StepBuilder& step) {
  set_status(SessionStatus::kRunning, step);
  set_state(WorkState::kProcessing, StateTrigger::kWork, step);
}

void Session::cancel_task(const std::string& by, bool has_failed, StepBuilder& step) {
  task_->cancel(by, step.now().steady + limits_.cancel_timeout, has_failed);
  withdraw_all(step);
  step.command(CancelTask{});
}

void Session::end_task(TaskEnd outcome, const std::string& detail, SessionStatus next,
                       StepBuilder& step) {
  begin_work(step);
  withdraw_all(step);
  task_->complete(outcome, detail, step);
  if (!task_->usage().is_empty()) {
    state_.usage = task_->usage();
    add(state_.total_usage, task_->usage());
  }
  set_status(next, step, detail);
  task_.reset();
}

void Session::complete_task(TaskEnd outcome, const std::string& detail, StepBuilder& step) {
  end_task(outcome, detail, SessionStatus::kIdle, step);
  set_state(WorkState::kComplete, StateTrigger::kCompletion, step);
  start_next_task(step);
}

// Ends the task and the queued messages for the same reason.
void Session::abandon_work(const std::string& reason, SessionStatus next, StepBuilder& step) {
  if (task_) {
    begin_work(step);
    emit(event::TaskError{.message = reason}, step);
    end_task(TaskEnd::kError, reason, next, step);
  } else {
    step.emit(state_.queue.front().task_id, event::TaskError{.message = reason});
  }
  event::Completion lost;
  lost.outcome = TaskEnd::kError;
  lost.detail = "not sent to the agent: " + reason;
  messages().drop_all(lost, step);
}

void Session::lose_agent(StepBuilder& step) {
  agent_ = AgentPhase::kNone;
  ready_by_.reset();
  withdraw_all(step);
}

// Without a task or a queued message, the loss of the agent is no failure.
void Session::fail(const std::string& reason, StepBuilder& step) {
  lose_agent(step);
  if (!has_work())
    return emit(event::Notice{.text = reason + "; the next message starts it again"}, step);
  abandon_work(reason, SessionStatus::kFailed, step);
  set_status(SessionStatus::kFailed, step, reason);
  set_state(WorkState::kIdle, StateTrigger::kFailure, step);
}

// What people see.

void Session::set_status(SessionStatus status, StepBuilder& step, const std::string& reason) {
  state_.reason = status == SessionStatus::kFailed ? reason : "";
  if (state_.status == status) return;
  state_.status = status;
  emit(event::StatusChanged{.status = status, .reason = state_.reason}, step);
}

// An open question outranks any other state: people must see it.
void Session::set_state(WorkState state, StateTrigger trigger, StepBuilder& step) {
  if (!permissions_.empty()) state = WorkState::kAwaitingInput;
  if (state_.state == state) return;
  const event::StateTransition transition{.from = state_.state, .to = state, .trigger = trigger};
  state_.state = state;
  state_.state_since = step.now().wall;
  emit(transition, step);
}

void Session::emit(EventPayload payload, StepBuilder& step) {
  if (task_) return task_->emit(std::move(payload), step);
  step.emit("", std::move(payload));
}

// Records the turns, and copies what only the session knows into the visible state.
SessionStep Session::finish(StepBuilder& builder) {
  SessionStep step = builder.take();
  const auto own = static_cast<std::int64_t>(step.events.size());
  state_.turns += turns_.record(step, state_.last_index + 1 - own);
  state_.last_index += static_cast<std::int64_t>(step.events.size()) - own;
  state_.is_live = agent_ == AgentPhase::kReady;
  state_.is_in_task = task_.has_value();
  state_.pending = permissions_.pending();
  state_.tools = task_ ? task_->tools() : std::vector<ToolAtWork>{};
  return step;
}

}  // namespace oriel
