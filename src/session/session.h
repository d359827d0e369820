#pragma once
// What a session does next: agent's events and people's commands in, the session's events and
// commands for the agent out. Pure: no I/O, no clock; its runner passes the time in.

#include "base/session_event.h"
#include "session/assistant_text.h"
#include "session/permission_book.h"
#include "session/session_state.h"

#include <chrono>
#include <optional>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

namespace oriel {

struct SessionLimits {
  std::size_t max_queued_messages = 16;
  std::size_t max_remembered_requests = 64;
  std::chrono::milliseconds start_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds permission_timeout = std::chrono::minutes(10);
  std::chrono::milliseconds cancel_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds task_timeout{0};  // 0: a task may take for ever
};

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

// Ends the process, or its start. Of a process that is to stop nothing more is to be reported: what
// follows may be the StartAgent of the next one.
struct StopAgent {
  bool operator==(const StopAgent&) const = default;
};

using SessionCommand = std::variant<StartAgent, PromptAgent, CancelTask, AnswerAgent, StopAgent>;

// What follows from a call. The events are stored in this order; then the commands are carried out.
struct SessionStep {
  std::vector<SessionEvent> events;
  std::vector<SessionCommand> commands;
};

// A message was taken, now or (is_repeat) before.
struct MessageTaken {
  std::string task_id;
  std::string turn_id;           // what was said, as a turn
  std::int64_t last_index = -1;  // the task's events come after this one
  std::size_t queued = 0;        // messages that wait now, this one among them or not
  bool is_repeat = false;
  std::string permission_id = {};  // of the question that it answers; empty: it is a message
  SessionStep step;
};

// What a person says, and how.
struct UserMessage {
  std::string text;                 // as people see it
  std::string prompt = {};          // as the agent gets it; empty: the text
  std::string request_id = {};      // empty: none was given
  std::string by = {};              // who
  boost::json::object origin = {};  // the event's data, for its turn: source, said_at, files
};

struct PermissionAnswered {
  std::string status;  // Resolution::status
  SessionStep step;
};

struct TaskCancelled {
  std::string task_id;
  SessionStep step;
};

// A tool at work.
struct OpenCall {
  std::string id;
  std::string name;
  Moment began;
};

// The task at work, as its session knows it.
struct OpenTask {
  std::string id;
  Moment began;
  AssistantText text;
  std::vector<OpenCall> calls;                  // in the order they began
  std::unordered_set<std::string> known_calls;  // those that have ended, too
  boost::json::object usage;
  bool is_cancelled = false;
  bool is_overdue = false;               // cancelled because it took too long
  std::optional<SteadyTime> give_up_at;  // the agent is ended if the task is not
};

// The turn of the message that opens a task has its id.
std::string command_turn_of(std::string_view task_id);

// Lives with its runner.
class Session {
 public:
  Session(SessionState state, PermissionMode mode, SessionLimits limits);

  const SessionState& state() const { return state_; }

  // So many events of others, which tell of its turns, were stored after its own.
  void skip_indexes(std::size_t count) { state_.last_index += static_cast<std::int64_t>(count); }

  // To be called once: says that it was created.
  SessionStep create(Moment now);

  // Oriel itself ends, or had ended and finds the session again: what was at work or waited is
  // over. Nothing follows for a session at rest.
  SessionStep interrupt(const std::string& reason, Moment now);

  // A message of a person: its own task, at once or when those before it have ended. Refused when
  // the session has ended or too many wait.
  Result<MessageTaken> message(std::string text, const std::string& request_id, Moment now);

  // The same, but for a single question in words that waits: who speaks then answers it.
  Result<MessageTaken> say(UserMessage said, Moment now);

  // Ends the task at work, or takes back the messages that wait for the agent to start. Returns the
  // task; refused when there is nothing to end.
  Result<TaskCancelled> cancel(Moment now);

  // The first answer counts. Refused: unknown, answered before, not one of the options.
  Result<PermissionAnswered> answer(const std::string& permission_id, const Decision& decision,
                                    Moment now);

  // For good.
  SessionStep end(Moment now);

  SessionStep on_agent(std::vector<AgentEvent> events, Moment now);

  // The agent's process has ended, or could not be started; `reason` is for a person, and goes on
  // after "the agent ". Whoever waits is told that it failed.
  SessionStep on_agent_gone(const std::string& reason, Moment now);

  // The process is to be ended because nothing happens; the next message starts it again.
  SessionStep on_agent_rested(Moment now);

  // Does what is due by now.
  SessionStep tick(Moment now);

  // When tick() is to be called next.
  std::optional<SteadyTime> wake_at() const;

 private:
  enum class AgentPhase { kNone, kStarting, kReady };

  // One call at work: its time, and what has come of it so far.
  struct Work {
    Moment now;
    SessionStep step;
  };

  void handle(const AgentReady& event, Work& work);
  void handle(const AgentRefused& event, Work& work);
  void handle(const TaskStarted& event, Work& work);
  void handle(const TextDelta& event, Work& work);
  void handle(const ThoughtDelta& event, Work& work);
  void handle(const TextDropped& event, Work& work);
  void handle(const TextFinished& event, Work& work);
  void handle(const ToolCalled& event, Work& work);
  void handle(const ToolFinished& event, Work& work);
  void handle(const PermissionAsked& event, Work& work);
  void handle(const PermissionWithdrawn& event, Work& work);
  void handle(const UsageReported& event, Work& work);
  void handle(const ErrorReported& event, Work& work);
  void handle(const NoticeGiven& event, Work& work);
  void handle(const TaskEnded& event, Work& work);

  std::optional<MessageTaken> taken_before(const std::string& request_id) const;
  void remember_request(const std::string& request_id, const MessageTaken& taken);
  Result<MessageTaken> take_message(UserMessage said, Moment now);
  std::optional<SteadyTime> task_overdue_at() const;
  void open_task(std::string task_id, Work& work);
  void reopen_task(Work& work);
  void start_next_task(Work& work);
  void begin_work(Work& work);
  void cancel_task(Work& work);
  void end_task(std::string_view how, const std::string& detail, SessionStatus next, Work& work);
  void complete_task(std::string_view how, const std::string& detail, Work& work);
  void close_call(const OpenCall& call, bool is_ok, const std::string& output, Work& work);

  bool has_work() const { return task_ || !state_.queue.empty(); }

  void abandon_work(const std::string& reason, SessionStatus next, Work& work);
  void drop_queue(std::string_view how, const std::string& reason, Work& work);
  void lose_agent(Work& work);
  void fail(const std::string& reason, Work& work);
  void answer_agent(const Resolution& resolution, Work& work);
  void resolve(const Resolution& resolution, Work& work);
  void withdraw_all(Work& work);
  void show(const std::vector<ShownMessage>& messages, Work& work);
  void show_due(Work& work);
  void set_status(SessionStatus status, Work& work, const std::string& reason = {});
  void set_state(WorkState state, std::string_view trigger, Work& work);
  void note(const std::string& text, Work& work);
  SessionEvent& emit(std::string type, Work& work);
  SessionStep finish(Work work);

  SessionState state_;
  PermissionMode mode_;
  SessionLimits limits_;
  AgentPhase agent_ = AgentPhase::kNone;
  std::optional<SteadyTime> ready_by_;
  std::optional<OpenTask> task_;
  PermissionBook permissions_;
};

}  // namespace oriel
