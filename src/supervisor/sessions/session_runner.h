#pragma once
// One session at work: what its agent does goes through the state machine into the journal, and
// what people want goes through it to the agent.

#include "agent/agent.h"
#include "journal/journal.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "session/session.h"
#include "supervisor/sessions/flood_pace.h"
#include "supervisor/sessions/session_turns.h"

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
  std::uint64_t max_event_rate = 2'000;  // a second; an agent that says more is read no faster
  std::chrono::milliseconds rest_after = std::chrono::minutes(30);  // 0: the agent never rests
};

// The key of a session's document in the journal.
std::string document_key(const std::string& session_id);

// Lives on one shard and is touched only there. The commands return once what they did is stored;
// an event is never dropped: while the journal refuses it, the agent is not read. stop() is awaited
// before destruction.
class SessionRunner {
 public:
  // `on_change` is told, on the shard, of each state before its events are stored.
  SessionRunner(asio::any_io_executor shard, Journal& journal, AgentSpec spec, SessionState state,
                RunnerOptions options, std::function<void(SessionSnapshot)> on_change);
  ~SessionRunner();

  // For a session that begins.
  asio::awaitable<void> create();

  asio::awaitable<Result<MessageTaken>> message(std::string text, std::string request_id);
  asio::awaitable<Result<MessageTaken>> say(UserMessage said);
  asio::awaitable<Result<std::string>> cancel();
  asio::awaitable<Result<std::string>> answer(std::string permission_id, Decision decision);

  // The session is over, for good.
  asio::awaitable<void> end();

  // Ends the agent and stores what is left; a task at work ends for this reason.
  asio::awaitable<void> stop(std::string reason);

  SessionSnapshot snapshot() const { return std::make_shared<SessionState>(session_.state()); }

 private:
  void perform(SessionStep step);
  void put(std::vector<SessionEvent> events);
  void carry_out(const StartAgent& command);
  void carry_out(const PromptAgent& command);
  void carry_out(const CancelTask& command);
  void carry_out(const AnswerAgent& command);
  void carry_out(const StopAgent& command);

  asio::awaitable<void> run_agents();
  asio::awaitable<std::string> run_agent(std::string resume_id);
  asio::awaitable<void> stop_agent();
  asio::awaitable<void> store_events();
  asio::awaitable<bool> store(const ToldTurns& told);
  asio::awaitable<void> stored();
  asio::awaitable<void> keep_time();
  SteadyTime next_wake() const;
  bool may_rest() const;

  asio::any_io_executor shard_;
  Journal& journal_;
  AgentSpec spec_;
  Session session_;
  SessionTurns turns_;
  RunnerOptions options_;
  std::function<void(SessionSnapshot)> on_change_;

  std::unique_ptr<Agent> agent_;
  std::optional<StartAgent> wanted_;  // an agent is to be started once the last one has gone
  bool is_agent_dismissed_ = false;   // told to stop: what it still says does not count
  bool is_stopping_agent_ = false;
  Condition agent_changed_;
  FloodPace pace_;
  asio::steady_timer pause_;  // until the agent is read again; cancelled when it is to end

  ToldTurns outbox_;       // on its way to the journal
  std::uint64_t put_ = 0;  // events, ever
  std::uint64_t stored_ = 0;
  bool is_closing_ = false;
  Condition outbox_changed_;
  Condition stored_changed_;

  asio::steady_timer clock_;
  SteadyTime idle_since_;
  TaskGroup tasks_;
};

}  // namespace oriel
