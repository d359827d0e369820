#pragma once
// For tests: a session with its own clock, which describes the result of each call in short lines.

#include "base/event/event_view_testing.h"
#include "session/session.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

using Lines = std::vector<std::string>;

inline std::string describe(const EventView& event) {
  if (event.type == "status") {
    const std::string reason =
        event.data ? ": " + std::string(event.data->at("reason").as_string()) : "";
    return "status " + event.text + reason;
  }
  if (event.type == "message" && event.role == "user") return "user " + event.text;
  if (event.type == "message")
    return "message " + std::to_string(event.data->at("message").to_number<int>()) + " " +
           event.text;
  if (event.type == "delta" && event.role == "thought") return "thought " + event.text;
  if (event.type == "tool_call" || event.type == "tool_result")
    return event.type + " " + event.tool_call_id + " " + event.status + " " + event.text;
  if (event.type == "completion" || event.type == "permission")
    return event.type + " " + event.status + " " + event.text;
  return event.type + " " + event.text;
}

inline std::string describe(const StartAgent& command) {
  return command.resume_id.empty() ? "> start" : "> start " + command.resume_id;
}

inline std::string describe(const PromptAgent& command) {
  return "> prompt " + command.text;
}

inline std::string describe(const CancelTask&) {
  return "> cancel";
}

inline std::string describe(const AnswerAgent& command) {
  std::string line = "> answer " + command.permission_id + " " +
                     (command.answer.option_id.empty() ? "-" : command.answer.option_id);
  for (const std::string& answer : command.answer.answers)
    line += " " + answer;
  return line;
}

inline std::string describe(const StopAgent&) {
  return "> stop";
}

inline const AgentReady kReady{.agent_session_id = "conv", .version = ""};
inline const TaskEnded kDone{};

inline TextDelta piece(const std::string& text) {
  return {.message_id = "m", .text = text};
}

inline TextFinished whole(const std::string& text) {
  return {.message_id = "m", .text = text};
}

inline ToolCalled call(const std::string& id) {
  return {.id = id, .name = "ls", .input = {{"path", "."}}};
}

inline ToolFinished result(const std::string& id, const std::string& output) {
  return {.id = id, .is_ok = true, .output = output};
}

inline PermissionAsked ask_to(const std::string& id, const std::string& title) {
  return {.id = id,
          .tool_call_id = "t1",
          .title = title,
          .input = nullptr,
          .options = {{.id = "always", .label = "Always", .kind = OptionKind::kAllowAlways},
                      {.id = "yes", .label = "Yes", .kind = OptionKind::kAllowOnce},
                      {.id = "no", .label = "No", .kind = OptionKind::kRejectOnce}},
          .questions = {}};
}

inline PermissionAsked question(const std::string& id, const std::string& text) {
  return {.id = id,
          .tool_call_id = "",
          .title = text,
          .input = nullptr,
          .options = {},
          .questions = {{.text = text, .choices = {"Tea", "Coffee"}, .takes_many = false}}};
}

inline Decision allow(bool is_allowed) {
  return {.is_allowed = is_allowed, .option_id = {}, .answers = {}, .by = "ann"};
}

// Each call returns its events, without state transitions and turns, and then its commands
// ("> ...").
class TestSession {
 public:
  explicit TestSession(SessionLimits limits = {}, PermissionMode mode = PermissionMode::kAsk,
                       SessionState state = new_state())
      : session_(std::move(state), mode, limits) {}

  static SessionState new_state() {
    SessionState state;
    state.session_id = "ses_1";
    state.agent = "demo";
    state.project_id = "project";
    return state;
  }

  const SessionState& state() const { return session_.state(); }

  Session& session() { return session_; }

  std::optional<SteadyTime> wake_at() const { return session_.wake_at(); }

  const Moment& now() const { return now_; }

  const std::vector<EventView>& events() const { return events_; }  // of all calls

  const Lines& states() const { return states_; }  // in the order it entered them

  Lines create() { return take(session_.create(now_)); }

  Lines message(const std::string& text, const std::string& request_id = "") {
    auto taken = session_.message({.text = text, .request_id = request_id}, now_);
    if (!taken) return {"refused " + std::string(code_of(taken.error().kind))};
    return take(std::move(taken->step));
  }

  Lines say(UserMessage said) {
    auto taken = session_.say(std::move(said), now_);
    if (!taken) return {"refused " + std::string(code_of(taken.error().kind))};
    return take(std::move(taken->step));
  }

  Lines cancel() {
    auto cancelled = session_.cancel("ann", now_);
    if (!cancelled) return {"refused " + std::string(code_of(cancelled.error().kind))};
    return take(std::move(cancelled->step));
  }

  Lines answer(const std::string& permission_id, const Decision& decision) {
    auto step = session_.answer(permission_id, decision, now_);
    if (!step) return {"refused " + std::string(code_of(step.error().kind))};
    return take(std::move(step->step));
  }

  Lines end() { return take(session_.end("ann", now_)); }

  Lines interrupt(const std::string& reason, const std::vector<Turn>& turns = {}) {
    return take(session_.interrupt(reason, now_, turns));
  }

  // As they are stored after all calls.
  std::vector<Turn> turns() const {
    std::vector<Turn> turns;
    for (const auto& [id, turn] : turns_)
      turns.push_back(turn);
    return turns;
  }

  template <class... Events>
  Lines agent(Events... events) {
    return take(session_.on_agent({AgentEvent(std::move(events))...}, now_));
  }

  Lines gone(const std::string& reason) { return take(session_.on_agent_gone(reason, now_)); }

  Lines idle() { return take(session_.on_agent_idle(now_)); }

  // Lets time pass as the runner does: tick() is called when the session wants it, and only then.
  Lines pass(std::chrono::milliseconds time) {
    const SteadyTime until = now_.steady + time;
    Lines lines;
    for (int ticks = 0; session_.wake_at() && *session_.wake_at() <= until; ++ticks) {
      if (ticks > 10'000) {
        ADD_FAILURE() << "it wants to be woken for ever";
        break;
      }
      set_time(std::max(now_.steady, *session_.wake_at()));
      const Lines more = take(session_.tick(now_));
      lines.insert(lines.end(), more.begin(), more.end());
    }
    set_time(until);
    return lines;
  }

  // The wall clock is set back, as by a person or a time server.
  void set_back(std::chrono::milliseconds by) { now_.wall -= by; }

  // The agent is ready for the first message, and has taken it.
  void start_task(const std::string& text) {
    message(text);
    if (!state().is_live) agent(kReady);
  }

  std::string pending_id() const { return state().pending.at(0).permission_id; }

  EventView last(const std::string& type) const {
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
      if (event->type == type) return *event;
    }
    ADD_FAILURE() << "no " << type;
    return {};
  }

 private:
  void set_time(SteadyTime time) {
    now_.wall += std::chrono::duration_cast<std::chrono::milliseconds>(time - now_.steady);
    now_.steady = time;
  }

  Lines take(SessionStep step) {
    Lines lines;
    for (const EventView& event : views_of(step.events)) {
      events_.push_back(event);
      if (event.feed_type == "turn_created" || event.feed_type == "turn_updated") continue;
      if (event.feed_type == "state_transition")
        states_.emplace_back(event.data->at("to_state").as_string());
      else
        lines.push_back(describe(event));
    }
    for (const Turn& turn : step.turns)
      turns_[turn.turn_id] = turn;
    for (const SessionCommand& command : step.commands)
      lines.push_back(std::visit([](const auto& what) { return describe(what); }, command));
    return lines;
  }

  Moment now_{.wall = WallTime(std::chrono::hours(24 * 365 * 56)),
              .steady = SteadyTime(std::chrono::hours(1))};
  Session session_;
  std::vector<EventView> events_;
  Lines states_;
  std::map<std::string, Turn> turns_;  // by id
};

}  // namespace oriel
