#pragma once
// What a task is doing, in words for the people who wait for it: the messages of progress
// notifications. No duration in them goes back, although events come late. Pure.

#include "base/event/session_event.h"
#include "base/time.h"
#include "session/session_state.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

class TaskProgress {
 public:
  // `since` is when the caller began to wait for the task, `works_since` when the agent began with
  // it, if that is known from a call before.
  TaskProgress(std::string task_id, WallTime since, std::optional<WallTime> works_since = {})
      : task_id_(std::move(task_id)), begin_(since), works_since_(works_since) {}

  // Starts with this state. The events that led to it may be taken again afterwards.
  void begin_with(const SessionState& session);

  // Takes the session's next event and describes it: "running npm test".
  std::string take(const SessionEvent& event);

  // Describes the state of the task at this time: "running npm test, 32 s".
  std::string at(WallTime time);

  // The value of the next notification: seconds since the task's begin, but more than before.
  double next_value(WallTime now);

  std::optional<WallTime> works_since() const { return works_since_; }

 private:
  struct RunningTool {
    std::string id;
    std::string what;  // "npm test", "Read src/main.cpp"
    WallTime since;
  };

  struct OpenRequest {
    std::string permission_id;
    std::string title;
    WallTime since;
  };

  void note_task(const SessionEvent& event);
  void add_request(const PendingPermission& permission);

  // The description of an event; empty if at() describes the same better.
  std::string say(const event::StatusChanged& changed, const SessionEvent& event);
  std::string say(const event::UserMessage& message, const SessionEvent& event) const;
  std::string say(const event::AssistantMessage& message, const SessionEvent& event);
  std::string say(const event::ToolCall& call, const SessionEvent& event);
  std::string say(const event::ToolResult& result, const SessionEvent& event);
  std::string say(const event::PermissionRequested& requested, const SessionEvent& event);
  std::string say(const event::PermissionResolved& resolved, const SessionEvent& event);
  std::string say(const event::Completion& completion, const SessionEvent& event);
  std::string say(const event::TaskError& error, const SessionEvent& event);
  std::string say(const event::Notice& notice, const SessionEvent& event);
  std::string say(const event::AgentReady& ready, const SessionEvent& event);
  std::string say(const event::SessionCreated& created, const SessionEvent& event);
  std::string say(const event::SessionEnded& ended, const SessionEvent& event);

  // Turns repeat what other events say.
  template <class Other>
  std::string say(const Other&, const SessionEvent&) const {
    return {};
  }

  std::string task_id_;
  WallTime begin_;                       // of the task, or of the wait for it if that is not known
  std::optional<WallTime> works_since_;  // none: the agent has not begun with the task
  WallTime latest_ = begin_;             // that was described
  std::chrono::milliseconds value_{0};   // of the last notification
  std::string other_task_;               // that the agent works on; empty: none
  std::vector<RunningTool> tools_;       // in the order they began
  std::vector<OpenRequest> requests_;
};

// "0 s", "32 s", "2 min 5 s", "1 h 3 min"
std::string duration_in_words(std::chrono::milliseconds duration);

}  // namespace oriel
