#pragma once
// Runs one hosted session: passes the agent's events through the state machine into the journal,
// and people's commands through it to the agent.

#include "agent/agent.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "session/agent_redactor.h"
#include "session/session.h"
#include "supervisor/sessions/agent_token.h"
#include "supervisor/sessions/event_outbox.h"
#include "supervisor/sessions/rate_limiter.h"
#include "supervisor/sync/workspace_push.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

using SessionSnapshot = std::shared_ptr<const SessionState>;

struct RunnerOptions {
  SessionLimits session;
  AgentLimits agent;
  std::uint64_t max_event_rate = 2'000;  // per second; an agent is read no faster
  std::chrono::milliseconds stop_idle_after = std::chrono::minutes(30);  // 0: never
  std::chrono::milliseconds command_timeout = std::chrono::seconds(10);  // until it is stored
  std::vector<SecretPattern> secret_patterns;  // masked in addition to known shapes and values
  TokenIssuer tokens = {};                     // for agents that may reach Oriel; empty: none
  WorkspaceSync* sync = nullptr;               // pushes workspaces; null: none is pushed
};

// The end of the work that an earlier server left unfinished.
struct Interruption {
  SessionState before;
  std::string reason;
  std::vector<Turn> turns;  // of the session, as stored
};

// What a runner reports.
struct RunnerListener {
  // Each state whose events are going to be stored, on the runner's shard.
  std::function<void(SessionSnapshot)> on_change;
  // Each state whose events are stored, before they are published, on the journal's thread.
  std::function<void(SessionSnapshot)> on_stored;
  // Another node owns the session: fence() must follow.
  std::function<void()> on_overtaken = {};
};

// Masks secrets in the texts of such an agent; null: nothing is masked.
std::shared_ptr<const Redactor> make_redactor(const AgentSpec& spec, const RunnerOptions& options);

// The key of a session's document in the journal.
std::string document_key(const std::string& session_id);
constexpr std::string_view kSessionDocuments = "session/";

// Lives on one shard and is used only there. Commands succeed once their events are stored, and
// fail with the journal's error after `command_timeout`. A failed message or answer has no effect,
// or is stored later; repeat it with the same request_id. Only stop() drops events: while the
// journal rejects them, the agent is not read. Await stop() before destruction.
class SessionRunner {
 public:
  SessionRunner(asio::any_io_executor shard, Journal& journal, FailureLog& failures, AgentSpec spec,
                SessionState state, RunnerOptions options, RunnerListener listener,
                OwnerGuard guard = {});
  ~SessionRunner();

  // For a new session.
  asio::awaitable<Result<void>> create();

  // For a session whose state is that before the interruption. Returns at once: it is stored before
  // any later event.
  asio::awaitable<void> interrupt(Interruption interruption);

  asio::awaitable<Result<MessageTaken>> message(UserMessage said);
  asio::awaitable<Result<MessageTaken>> say(UserMessage said);
  asio::awaitable<Result<std::string>> cancel(std::string by);
  asio::awaitable<Result<std::string>> answer(std::string permission_id, Decision decision);

  // Waits until the changes of earlier commands are stored.
  asio::awaitable<Result<void>> confirm();

  // Ends the session permanently. A repeated call waits for the first one.
  asio::awaitable<Result<void>> end(std::string by);

  // Stops the agent and stores the remaining events; a running task ends for this reason. Events
  // that cannot be stored are dropped, and commands that wait for them fail with stopping. A shared
  // log gets `command_timeout` to store them; after that whoever takes over the session ends its
  // task.
  asio::awaitable<void> stop(std::string reason);

  // Like stop() once another node owns the session: the agent is killed.
  asio::awaitable<void> fence();

  SessionSnapshot snapshot() const { return std::make_shared<SessionState>(session_.state()); }

 private:
  // Of the runner. After kOpen it accepts no commands.
  enum class Phase { kOpen, kClosing, kStopped };

  // Of agent_. After kRunning its events no longer reach the session.
  enum class AgentPhase {
    kNone,
    kRunning,
    kExited,    // by itself; its leftover processes are being stopped
    kStopping,  // on request of the session
    kStopped,
  };

  void perform(SessionStep step);
  void perform_masked(SessionStep step);
  void set_title(UserMessage& said) const;
  std::unique_ptr<WorkspacePush> make_push(Journal& journal, const OwnerGuard& guard);
  void take(std::vector<AgentEvent> events);
  asio::awaitable<void> take_output(std::vector<AgentEvent> events);
  template <class T>
  asio::awaitable<Result<T>> acknowledge(T done, SteadyTime deadline);
  asio::awaitable<Result<void>> accept_by(SteadyTime deadline);
  asio::awaitable<void> abandon_rest();
  SteadyTime command_deadline() const;
  StateDocument describe_state();
  void carry_out(const StartAgent& command);
  void carry_out(const PromptAgent& command);
  void carry_out(const CancelTask& command);
  void carry_out(const AnswerAgent& command);
  void carry_out(const StopAgent& command);

  AgentSpec spec_with(const std::optional<AgentToken>& token);
  asio::awaitable<void> run_agents();
  asio::awaitable<std::string> run_agent(std::string resume_id);
  asio::awaitable<void> abandon_agent();
  void settle_agent(const std::string& how);
  asio::awaitable<void> stop_agent();
  asio::awaitable<void> keep_time();
  void do_what_is_due();
  template <class Work>
  bool attempt(Work work);
  SteadyTime next_wake() const;
  bool is_idle() const;

  asio::any_io_executor shard_;
  AgentSpec spec_;
  LazyThread thread_;       // for long texts
  AgentRedactor redactor_;  // its unfinished texts belong to the thread while is_masking_
  bool is_masking_ = false;
  std::vector<AgentEvent> held_back_;  // that came meanwhile
  Session session_;
  RunnerOptions options_;
  RunnerListener listener_;
  const DocumentReader reader_;  // of the session's document

  std::unique_ptr<Agent> agent_;
  AgentPhase agent_phase_ = AgentPhase::kNone;
  std::optional<StartAgent> wanted_;  // starts when the last agent has exited
  Condition agent_changed_;
  RateLimiter rate_limiter_;
  asio::steady_timer pause_;  // until the agent is read again; cancelled to stop it

  const std::unique_ptr<WorkspacePush> push_;  // null: its workspace is not pushed
  EventOutbox outbox_;
  Phase phase_ = Phase::kOpen;
  bool is_fenced_ = false;
  Condition stopped_;

  asio::steady_timer clock_;
  SteadyTime idle_since_;
  TaskGroup tasks_;
};

}  // namespace oriel
