#pragma once
// The state machine of a hosted session. Input: events of the agent and commands of users. Output:
// events to store, turns and commands for the agent. Pure: no I/O, no clock; its runner passes the
// time in.

#include "base/event/session_event.h"
#include "session/message_queue.h"
#include "session/open_task.h"
#include "session/permission_book.h"
#include "session/session_state.h"
#include "session/session_step.h"
#include "session/turn_recorder.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct SessionLimits {
  std::size_t max_queued_messages = 16;
  std::size_t max_remembered_requests = 64;
  std::chrono::milliseconds start_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds permission_timeout = std::chrono::minutes(10);
  std::chrono::milliseconds cancel_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds task_timeout{0};  // 0: no limit
};

struct PermissionAnswered {
  PermissionStatus status = PermissionStatus::kDenied;
  SessionStep step;
};

struct TaskCancelled {
  std::string task_id;
  SessionStep step;
};

// Lives with its runner.
class Session {
 public:
  Session(SessionState state, PermissionMode mode, SessionLimits limits);

  const SessionState& state() const { return state_; }

  // Reports the creation. Call it once, for a new session.
  SessionStep create(Moment now);

  // Call when Oriel stops, or for a session found after a restart: ends the task and drops queued
  // messages. Has no effect on an idle session. `turns` are the stored turns after a restart;
  // permissions of open questions among them are withdrawn.
  SessionStep interrupt(const std::string& reason, Moment now, const std::vector<Turn>& turns = {});

  // Tells people something that is not of the agent.
  SessionStep note(const std::string& text, Moment now);

  // Goes on in another workspace, and says why. Not while the agent works.
  SessionStep move_to(std::string workspace, const std::string& why, Moment now);

  // Accepts a message as a new task, started at once or after earlier ones. Fails if the session
  // has ended or too many messages wait.
  Result<MessageTaken> message(UserMessage said, Moment now);

  // Like message(), but if exactly one question in words is open, the message answers it. Error:
  // missing_scope, if its sender may not.
  Result<MessageTaken> say(UserMessage said, Moment now);

  // Cancels the task, or drops messages that wait for the agent to start. Fails if there is
  // nothing to cancel. `by` is the principal.
  Result<TaskCancelled> cancel(const std::string& by, Moment now);

  // The first answer counts. Fails if the permission is unknown or resolved, or if the decision is
  // not one of its options.
  Result<PermissionAnswered> answer(const std::string& permission_id, const Decision& decision,
                                    Moment now);

  // Ends the session permanently. `by` is the principal.
  SessionStep end(const std::string& by, Moment now);

  SessionStep on_agent(std::vector<AgentEvent> events, Moment now);

  // The agent's process has ended, or could not be started. `reason` continues "the agent ". Tasks
  // that wait for it fail.
  SessionStep on_agent_gone(const std::string& reason, Moment now);

  // The runner stops an agent that has been idle for long; the next message starts it again.
  SessionStep on_agent_idle(Moment now);

  // Performs all timed actions that are due.
  SessionStep tick(Moment now);

  // When to call tick() next.
  std::optional<SteadyTime> wake_at() const;

 private:
  enum class AgentPhase { kNone, kStarting, kReady };

  void on(const AgentReady& event, StepBuilder& step);
  void on(const AgentRefused& event, StepBuilder& step);
  void on(const TaskStarted& event, StepBuilder& step);
  void on(const TextDropped& event, StepBuilder& step);

  // Text, thoughts and tools.
  void on(IsWork auto&& event, StepBuilder& step);

  void on(const PermissionAsked& event, StepBuilder& step);
  void on(const PermissionWithdrawn& event, StepBuilder& step);
  void on(const UsageReported& event, StepBuilder& step);
  void on(const ErrorReported& event, StepBuilder& step);
  void on(const NoticeGiven& event, StepBuilder& step);
  void on(const TaskEnded& event, StepBuilder& step);

  bool begin_anew(const AgentEvent& event, StepBuilder& step);

  MessageQueue messages();
  Result<MessageTaken> take_message(UserMessage said, Moment now);

  void open_task(std::string task_id, StepBuilder& step);
  void start_next_task(StepBuilder& step);
  void begin_work(StepBuilder& step);
  void cancel_task(const std::string& by, bool has_failed, StepBuilder& step);
  std::optional<SteadyTime> task_overdue_at() const;
  void end_task(TaskEnd outcome, const std::string& detail, SessionStatus next, StepBuilder& step);
  void complete_task(TaskEnd outcome, const std::string& detail, StepBuilder& step);
  void abandon_work(const std::string& reason, SessionStatus next, StepBuilder& step);
  void lose_agent(StepBuilder& step);
  void fail(const std::string& reason, StepBuilder& step);

  void answer_agent(const Resolution& resolution, StepBuilder& step);
  void resolve(const Resolution& resolution, StepBuilder& step);
  void withdraw_all(StepBuilder& step);
  void withdraw_lost(const std::vector<Turn>& turns, StepBuilder& step);

  void set_status(SessionStatus status, StepBuilder& step, const std::string& reason = {});
  void set_state(WorkState state, StateTrigger trigger, StepBuilder& step);
  void emit(EventPayload payload, StepBuilder& step);
  SessionStep finish(StepBuilder& builder);

  bool has_work() const { return task_ || !state_.queue.empty(); }

  SessionState state_;
  PermissionMode mode_;
  SessionLimits limits_;
  AgentPhase agent_ = AgentPhase::kNone;
  std::optional<SteadyTime> ready_by_;
  std::optional<OpenTask> task_;
  PermissionBook permissions_;
  TurnRecorder turns_;
};

}  // namespace oriel
