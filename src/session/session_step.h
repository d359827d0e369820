#pragma once
// The result of one call of a session: events to store, their turns, and commands for the agent.

#include "base/event/permission.h"
#include "base/event/session_event.h"
#include "base/event/turn.h"
#include "base/moment.h"
#include "session/session_state.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace oriel {

struct StartAgent {
  std::string resume_id;  // empty: a new conversation

  bool operator==(const StartAgent&) const = default;
};

struct PromptAgent {
  std::string text;

  bool operator==(const PromptAgent&) const = default;
};

struct CancelTask {
  bool operator==(const CancelTask&) const = default;
};

struct AnswerAgent {
  std::string permission_id;  // the agent's own
  PermissionAnswer answer;

  bool operator==(const AnswerAgent&) const = default;
};

// Stops the process, also while it starts. The runner reports no further events of that process;
// the next command may be StartAgent for its successor.
struct StopAgent {
  bool operator==(const StopAgent&) const = default;
};

using SessionCommand = std::variant<StartAgent, PromptAgent, CancelTask, AnswerAgent, StopAgent>;

// Events and turns are stored in one append, the events in this order. The commands are executed
// afterwards.
struct SessionStep {
  std::vector<SessionEvent> events;
  std::vector<Turn> turns;  // new or changed
  std::vector<SessionCommand> commands;
};

// Collects the step of one call, and numbers its events.
class StepBuilder {
 public:
  // A clock that was set back does not reorder the session: its events never go back in time.
  StepBuilder(SessionState& state, Moment now) : state_(state), now_(now) {
    now_.wall = std::max(now_.wall, state.updated_at);
  }

  const Moment& now() const { return now_; }

  SessionState& state() { return state_; }

  void emit(std::string task_id, EventPayload payload) {
    ++state_.last_index;
    state_.updated_at = now_.wall;
    step_.events.push_back({.session_id = state_.session_id,
                            .project_id = state_.project_id,
                            .task_id = std::move(task_id),
                            .timestamp = now_.wall,
                            .payload = std::move(payload)});
  }

  void command(SessionCommand command) { step_.commands.push_back(std::move(command)); }

  SessionStep take() { return std::move(step_); }

 private:
  SessionState& state_;
  Moment now_;
  SessionStep step_;
};

}  // namespace oriel
