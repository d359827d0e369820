#include "session/session.h"

#include "core/id.h"
#include "core/json_text.h"

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr std::size_t kMaxLastText = 500;
constexpr std::string_view kNoResult = "no result: the turn ended before the tool did";

std::string_view name_of(TurnEnd reason) {
  switch (reason) {
    case TurnEnd::kCompleted:
      return "completed";
    case TurnEnd::kCancelled:
      return "cancelled";
    case TurnEnd::kError:
      break;
  }
  return "error";
}

// The end of a text, cut between characters.
std::string tail_of(const std::string& text) {
  if (text.size() <= kMaxLastText) return text;
  std::size_t first = text.size() - kMaxLastText;
  const auto is_inside = [&](char byte) { return (static_cast<unsigned char>(byte) >> 6) == 2; };
  while (first < text.size() && is_inside(text[first]))
    ++first;
  return text.substr(first);
}

std::string in_seconds(milliseconds time) {
  return std::to_string(duration_cast<std::chrono::seconds>(time).count()) + " s";
}

std::int64_t since(const Moment& then, const Moment& now) {
  return duration_cast<milliseconds>(now.steady - then.steady).count();
}

}  // namespace

Session::Session(SessionState state, PermissionMode mode, SessionLimits limits)
    : state_(std::move(state)), mode_(mode), limits_(limits) {}

SessionStep Session::create(Moment now) {
  Work work{.now = now, .step = {}};
  state_.created_at = now.wall;
  SessionEvent& event = emit("system", work);
  event.feed_type = "session_created";
  event.text = "session created";
  event.data = json::object{{"agent", state_.agent},
                            {"project_id", state_.project_id},
                            {"title", state_.title},
                            {"workspace", state_.workspace}};
  return finish(std::move(work));
}

SessionStep Session::interrupt(const std::string& reason, Moment now) {
  Work work{.now = now, .step = {}};
  agent_ = AgentPhase::kNone;
  ready_by_.reset();
  const bool was_running = state_.status == SessionStatus::kRunning;
  if (!turn_ && was_running) open_turn(state_.turn_id, work);
  if (!turn_ && state_.queue.empty()) return finish(std::move(work));
  emit("error", work).text = reason;
  if (turn_) end_turn("error", reason, work);
  drop_queue("error", reason, work);
  if (was_running) set_status(SessionStatus::kIdle, work);
  set_state(WorkState::kIdle, "restart", work);
  return finish(std::move(work));
}

Result<MessageTaken> Session::message(std::string text, const std::string& request_id, Moment now) {
  if (state_.status == SessionStatus::kCompleted) {
    return Error{.code = "session_ended",
                 .message = "session " + state_.session_id + " has ended",
                 .hint = "start a new one"};
  }
  for (const TakenRequest& taken : state_.requests) {
    if (!request_id.empty() && taken.request_id == request_id)
      return MessageTaken{
          .turn_id = taken.turn_id, .last_index = taken.last_index, .is_repeat = true, .step = {}};
  }
  if (state_.queue.size() >= limits_.max_queued_messages) {
    return Error{.code = "too_many_messages",
                 .message = std::to_string(state_.queue.size()) + " messages wait already",
                 .hint = "wait for the turn to end, or cancel it"};
  }
  Work work{.now = now, .step = {}};
  const std::string turn_id = "turn_" + random_id();
  SessionEvent& event = emit("message", work);
  event.role = "user";
  event.text = text;
  event.turn_id = turn_id;
  const std::int64_t last_index = state_.last_index;
  if (!request_id.empty()) {
    if (state_.requests.size() >= limits_.max_remembered_requests)
      state_.requests.erase(state_.requests.begin());
    state_.requests.push_back(
        {.request_id = request_id, .turn_id = turn_id, .last_index = last_index});
  }
  state_.queue.push_back({.turn_id = turn_id, .text = std::move(text)});
  start_next_turn(work);
  return MessageTaken{.turn_id = turn_id,
                      .last_index = last_index,
                      .is_repeat = false,
                      .step = finish(std::move(work))};
}

Result<TurnCancelled> Session::cancel(Moment now) {
  Work work{.now = now, .step = {}};
  if (turn_) {
    const std::string turn_id = turn_->id;
    if (!turn_->is_cancelled) {
      turn_->is_cancelled = true;
      turn_->give_up_at = now.steady + limits_.cancel_timeout;
      withdraw_all(work);
      work.step.commands.emplace_back(CancelTurn{});
    }
    return TurnCancelled{.turn_id = turn_id, .step = finish(std::move(work))};
  }
  if (state_.queue.empty()) {
    return Error{.code = "no_turn",
                 .message = "session " + state_.session_id + " has no turn at work",
                 .hint = "nothing is to be cancelled"};
  }
  const std::string turn_id = state_.queue.front().turn_id;
  drop_queue("cancelled", "", work);
  set_state(WorkState::kIdle, "cancel", work);
  return TurnCancelled{.turn_id = turn_id, .step = finish(std::move(work))};
}

Result<SessionStep> Session::answer(const std::string& permission_id, const Decision& decision,
                                    Moment now) {
  auto resolution = permissions_.decide(permission_id, decision);
  if (!resolution) return resolution.error();
  Work work{.now = now, .step = {}};
  work.step.commands.emplace_back(
      AnswerAgent{.permission_id = resolution->permission.asked.id, .answer = resolution->answer});
  resolve(*resolution, work);
  return finish(std::move(work));
}

SessionStep Session::end(Moment now) {
  Work work{.now = now, .step = {}};
  if (state_.status == SessionStatus::kCompleted) return {};
  if (turn_) end_turn("cancelled", "the session was ended", work);
  drop_queue("cancelled", "", work);
  set_status(SessionStatus::kCompleted, work);
  set_state(WorkState::kComplete, "end", work);
  SessionEvent& event = emit("system", work);
  event.feed_type = "session_ended";
  event.text = "session ended";
  event.data = json::object{{"turns", state_.turns}};
  agent_ = AgentPhase::kNone;
  work.step.commands.emplace_back(StopAgent{});
  return finish(std::move(work));
}

SessionStep Session::on_agent(std::vector<AgentEvent> events, Moment now) {
  Work work{.now = now, .step = {}};
  for (const AgentEvent& event : events)
    std::visit([&](const auto& happened) { handle(happened, work); }, event);
  if (turn_) show(turn_->text.due(now.steady), work);
  return finish(std::move(work));
}

SessionStep Session::on_agent_gone(const std::string& reason, Moment now) {
  Work work{.now = now, .step = {}};
  agent_ = AgentPhase::kNone;
  if (turn_ || !state_.queue.empty()) {
    fail(reason, work);
  } else if (state_.status != SessionStatus::kCompleted) {
    note("the agent " + reason + "; the next message starts it again", work);
  }
  return finish(std::move(work));
}

SessionStep Session::on_agent_rested(Moment now) {
  Work work{.now = now, .step = {}};
  agent_ = AgentPhase::kNone;
  note("the agent rests; the next message wakes it", work);
  return finish(std::move(work));
}

SessionStep Session::tick(Moment now) {
  Work work{.now = now, .step = {}};
  for (const Resolution& expired : permissions_.expire(now.steady)) {
    work.step.commands.emplace_back(
        AnswerAgent{.permission_id = expired.permission.asked.id, .answer = expired.answer});
    resolve(expired, work);
  }
  if (ready_by_ && now.steady >= *ready_by_) {
    agent_ = AgentPhase::kNone;
    work.step.commands.emplace_back(StopAgent{});
    fail("did not become ready within " + in_seconds(limits_.start_timeout), work);
  }
  if (turn_ && turn_->give_up_at && now.steady >= *turn_->give_up_at) {
    agent_ = AgentPhase::kNone;
    work.step.commands.emplace_back(StopAgent{});
    complete_turn(turn_->has_failed ? "error" : "cancelled",
                  "the agent did not stop by itself and was ended", work);
  }
  const bool is_limited = limits_.turn_timeout.count() > 0;
  if (turn_ && is_limited && !turn_->is_cancelled &&
      now.steady >= turn_->began.steady + limits_.turn_timeout) {
    handle(ErrorReported{.message = "the turn took longer than " +
                                    in_seconds(limits_.turn_timeout) + " and is cancelled"},
           work);
    turn_->is_cancelled = true;
    turn_->give_up_at = now.steady + limits_.cancel_timeout;
    withdraw_all(work);
    work.step.commands.emplace_back(CancelTurn{});
  }
  if (turn_) show(turn_->text.due(now.steady), work);
  return finish(std::move(work));
}

std::optional<SteadyTime> Session::wake_at() const {
  std::optional<SteadyTime> next;
  const auto consider = [&](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(permissions_.next_expiry());
  consider(ready_by_);
  if (turn_) {
    consider(turn_->text.next_due());
    consider(turn_->give_up_at);
    if (limits_.turn_timeout.count() > 0 && !turn_->is_cancelled)
      consider(turn_->began.steady + limits_.turn_timeout);
  }
  return next;
}

void Session::handle(const AgentReady& event, Work& work) {
  agent_ = AgentPhase::kReady;
  ready_by_.reset();
  state_.agent_session_id = event.agent_session_id;
  SessionEvent& ready = emit("system", work);
  ready.text =
      event.version.empty() ? "the agent is ready" : "the agent is ready: " + event.version;
  ready.data = json::object{{"agent_session_id", event.agent_session_id}};
  start_next_turn(work);
}

void Session::handle(const AgentRefused& event, Work& work) {
  agent_ = AgentPhase::kNone;
  work.step.commands.emplace_back(StopAgent{});
  const Error& error = event.error;
  fail(error.hint.empty() ? error.message : error.message + "; " + error.hint, work);
}

void Session::handle(const TurnStarted&, Work& work) {
  if (!turn_) open_turn("turn_" + random_id(), work);
}

void Session::handle(const TextDelta& event, Work& work) {
  if (!turn_ || event.text.empty()) return;
  begin_work(work);
  const unsigned number = turn_->text.add(event.message_id, event.text, work.now.steady);
  SessionEvent& delta = emit("delta", work);
  delta.role = "assistant";
  delta.text = event.text;
  delta.data = json::object{{"message", number}};
}

void Session::handle(const ThoughtDelta& event, Work& work) {
  if (!turn_ || event.text.empty()) return;
  begin_work(work);
  SessionEvent& delta = emit("delta", work);
  delta.role = "thought";
  delta.text = event.text;
}

void Session::handle(const TextDropped& event, Work& work) {
  if (turn_) show(turn_->text.drop(event.message_id), work);
}

void Session::handle(const TextFinished& event, Work& work) {
  if (!turn_ || event.text.empty()) return;
  begin_work(work);
  if (auto message = turn_->text.finish(event.message_id, event.text))
    show({*std::move(message)}, work);
}

void Session::handle(const ToolCalled& event, Work& work) {
  if (!turn_ || turn_->calls.count(event.id) > 0) return;
  begin_work(work);
  flush_text(work);
  turn_->calls.emplace(event.id, Call{.name = event.name, .began = work.now});
  SessionEvent& call = emit("tool_call", work);
  call.tool_name = event.name;
  call.tool_call_id = event.id;
  call.status = "running";
  call.text = json_text(event.input);
}

void Session::handle(const ToolFinished& event, Work& work) {
  if (!turn_) return;
  const auto call = turn_->calls.find(event.id);
  if (call == turn_->calls.end() || !call->second.is_open) return;
  begin_work(work);
  flush_text(work);
  close_call(event.id, call->second, event.is_ok, event.output, work);
}

void Session::handle(const PermissionAsked& event, Work& work) {
  if (turn_) begin_work(work);
  flush_text(work);
  if (turn_ && turn_->is_cancelled) {
    work.step.commands.emplace_back(AnswerAgent{.permission_id = event.id, .answer = {}});
    return;
  }
  if (auto answer = answer_by_rule(event, mode_)) {
    PendingPermission permission{.permission_id = "perm_" + random_id(),
                                 .asked = event,
                                 .asked_at = work.now.wall,
                                 .expires_at = {}};
    work.step.commands.emplace_back(AnswerAgent{.permission_id = event.id, .answer = *answer});
    const std::string status = status_of(event, *answer);
    resolve({.permission = std::move(permission),
             .status = status,
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
  if (!turn_) return;
  for (const auto& [key, value] : event.usage)
    turn_->usage[key] = value;
}

void Session::handle(const ErrorReported& event, Work& work) {
  if (turn_) {
    begin_work(work);
    turn_->has_failed = true;
  }
  flush_text(work);
  emit("error", work).text = event.message;
}

void Session::handle(const NoticeGiven& event, Work& work) {
  flush_text(work);
  note(event.text, work);
}

void Session::handle(const TurnEnded& event, Work& work) {
  if (!turn_) return;
  const bool was_cancelled = turn_->is_cancelled && event.reason != TurnEnd::kError;
  const std::string_view how =
      was_cancelled && !turn_->has_failed ? "cancelled" : name_of(event.reason);
  complete_turn(how, event.detail, work);
}

void Session::open_turn(std::string turn_id, Work& work) {
  turn_.emplace();
  turn_->id = std::move(turn_id);
  turn_->began = work.now;
  state_.turn_id = turn_->id;
}

void Session::start_next_turn(Work& work) {
  if (turn_ || state_.queue.empty()) return;
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
  open_turn(std::move(next.turn_id), work);
  ++state_.turns;
  work.step.commands.emplace_back(PromptAgent{.text = std::move(next.text)});
}

void Session::begin_work(Work& work) {
  set_status(SessionStatus::kRunning, work);
  if (permissions_.empty()) set_state(WorkState::kProcessing, "work", work);
}

// Closes what is open. The status stays: what follows is the caller's to say.
void Session::end_turn(std::string_view how, const std::string& detail, Work& work) {
  withdraw_all(work);
  show(turn_->text.finish_all(), work);
  for (auto& [id, call] : turn_->calls) {
    if (call.is_open) close_call(id, call, false, std::string(kNoResult), work);
  }
  if (!turn_->usage.empty()) state_.usage = turn_->usage;
  SessionEvent& completion = emit("completion", work);
  completion.role = "assistant";
  completion.text = turn_->text.last_text();
  completion.status = how;
  if (!turn_->usage.empty()) completion.usage = turn_->usage;
  json::object data{{"duration_ms", since(turn_->began, work.now)}};
  if (!detail.empty()) data["detail"] = detail;
  completion.data = std::move(data);
  turn_.reset();
}

void Session::complete_turn(std::string_view how, const std::string& detail, Work& work) {
  begin_work(work);
  end_turn(how, detail, work);
  set_status(SessionStatus::kIdle, work);
  set_state(WorkState::kComplete, "completion", work);
  start_next_turn(work);
}

void Session::fail(const std::string& reason, Work& work) {
  const std::string why = "the agent " + reason;
  ready_by_.reset();
  state_.reason = why;
  if (!turn_ && !state_.queue.empty()) {
    open_turn(state_.queue.front().turn_id, work);
    state_.queue.erase(state_.queue.begin());
  }
  flush_text(work);
  emit("error", work).text = why;
  set_status(SessionStatus::kFailed, work);
  if (turn_) end_turn("error", why, work);
  drop_queue("error", why, work);
  set_state(WorkState::kIdle, "failure", work);
}

void Session::drop_queue(std::string_view how, const std::string& reason, Work& work) {
  for (const QueuedMessage& queued : state_.queue) {
    SessionEvent& completion = emit("completion", work);
    completion.role = "assistant";
    completion.turn_id = queued.turn_id;
    completion.status = how;
    json::object data{{"duration_ms", 0}};
    if (!reason.empty()) data["detail"] = "not sent to the agent: " + reason;
    completion.data = std::move(data);
  }
  state_.queue.clear();
}

void Session::show(const std::vector<ShownMessage>& messages, Work& work) {
  for (const ShownMessage& message : messages) {
    SessionEvent& event = emit("message", work);
    event.role = "assistant";
    event.text = message.text;
    event.data = json::object{{"message", message.number}};
    if (!message.text.empty()) state_.last_text = tail_of(message.text);
  }
}

void Session::flush_text(Work& work) {
  if (turn_) show(turn_->text.flush(), work);
}

void Session::close_call(const std::string& id, Call& call, bool is_ok, const std::string& output,
                         Work& work) {
  call.is_open = false;
  SessionEvent& result = emit("tool_result", work);
  result.tool_name = call.name;
  result.tool_call_id = id;
  result.status = is_ok ? "ok" : "error";
  result.text = output;
  result.data = json::object{{"duration_ms", since(call.began, work.now)}};
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
  event.data = std::move(data);
  if (permissions_.empty() && state_.state == WorkState::kAwaitingInput)
    set_state(WorkState::kProcessing, "answer", work);
}

void Session::withdraw_all(Work& work) {
  for (const Resolution& withdrawn : permissions_.withdraw_all())
    resolve(withdrawn, work);
}

void Session::set_status(SessionStatus status, Work& work) {
  if (state_.status == status) return;
  state_.status = status;
  if (status != SessionStatus::kFailed) state_.reason.clear();
  SessionEvent& event = emit("status", work);
  event.text = name_of(status);
  event.status = name_of(status);
  if (!state_.reason.empty()) event.data = json::object{{"reason", state_.reason}};
}

void Session::set_state(WorkState state, std::string_view trigger, Work& work) {
  if (state_.state == state) return;
  const std::string from(name_of(state_.state));
  state_.state = state;
  SessionEvent& event = emit("system", work);
  event.feed_type = "state_transition";
  event.text = from + " -> " + std::string(name_of(state));
  event.data = json::object{{"agent_id", state_.session_id},
                            {"project_id", state_.project_id},
                            {"task_id", ""},
                            {"from_state", from},
                            {"to_state", name_of(state)},
                            {"trigger", trigger},
                            {"timestamp", format_time(work.now.wall)}};
}

void Session::note(const std::string& text, Work& work) {
  emit("system", work).text = text;
}

SessionEvent& Session::emit(std::string type, Work& work) {
  SessionEvent event;
  event.type = std::move(type);
  event.feed_type = "session_event";
  event.session_id = state_.session_id;
  event.project_id = state_.project_id;
  event.timestamp = work.now.wall;
  if (turn_) event.turn_id = turn_->id;
  ++state_.last_index;
  work.step.events.push_back(std::move(event));
  return work.step.events.back();
}

SessionStep Session::finish(Work work) {
  if (!work.step.events.empty()) state_.updated_at = work.now.wall;
  state_.is_live = agent_ == AgentPhase::kReady;
  state_.pending = permissions_.pending();
  state_.tool.reset();
  if (turn_) {
    for (const auto& [id, call] : turn_->calls) {
      const bool is_later = !state_.tool || call.began.wall >= state_.tool->since;
      if (call.is_open && is_later)
        state_.tool =
            ToolAtWork{.tool_call_id = id, .tool_name = call.name, .since = call.began.wall};
    }
  }
  return std::move(work.step);
}

}  // namespace oriel
