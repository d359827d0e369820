#pragma once
// Runs sessions: creates and finds them, assigns each to a shard and forwards commands to it.

#include "agent/agent_spec.h"
#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "supervisor/observers/importer.h"
#include "supervisor/observers/observer.h"
#include "supervisor/project_list.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/uploads.h"
#include "supervisor/sessions/workspace.h"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct SupervisorOptions {
  std::vector<AgentSpec> agents;
  std::string default_agent;
  std::vector<ProjectSpec> projects;
  std::filesystem::path workspaces;  // where fresh ones are made
  RegistryLimits limits;
  RunnerOptions runner;
  ObserverOptions observer;
  ImportOptions import;
  UploadOptions uploads;
};

struct NewSession {
  std::string agent;       // empty: the project's, else the default
  std::string project_id;  // empty: none
  std::string workspace;   // empty: the project's, else a fresh one
  std::string title;
  std::string message;  // its first; empty: none yet
  std::string request_id;
  std::optional<PermissionMode> permissions;  // none: the agent's own rule
};

struct SessionMade {
  SessionSnapshot session;
  std::string task_id;  // of its first message; empty: none
  std::int64_t last_index = -1;
  bool is_repeat = false;
};

// Something that a person did not write: spoken, or sent with files, which are the session's
// already.
struct NewTurn {
  std::string session_id;
  std::string text;  // empty: the files speak for themselves
  TurnOrigin origin;
  std::string request_id;
  std::string by;  // who
};

struct AgentInfo {
  AgentSpec spec;
  std::string problem;  // why it cannot be started here; empty: it can
};

// Owned by the app; lives on the first shard. Its functions may be awaited on any shard, and what
// they did is stored when they return; an error's code is stable: unknown_agent, unknown_session,
// too_many_sessions, session_ended, no_task, observed, in_progress, stopping, ...
class Supervisor {
 public:
  Supervisor(Shards& shards, Journal& journal, SupervisorOptions options);

  // Finds the sessions of the journal; what was at work when Oriel ended is told to have ended, and
  // what agents of an Oriel that was killed have left running is ended.
  asio::awaitable<void> start();

  // Ends all agents, side by side, and takes no more commands.
  asio::awaitable<void> stop();

  asio::awaitable<Result<SessionMade>> create(NewSession wanted);
  asio::awaitable<Result<MessageTaken>> message(std::string session_id, std::string text,
                                                std::string request_id);

  // A message, or the answer to the one question in words that waits.
  asio::awaitable<Result<MessageTaken>> say(NewTurn turn);

  asio::awaitable<Result<std::string>> cancel(std::string session_id);
  asio::awaitable<Result<std::string>> answer(std::string session_id, std::string permission_id,
                                              Decision decision);
  asio::awaitable<Result<SessionSnapshot>> end(std::string session_id);

  asio::awaitable<Result<SessionSnapshot>> find(std::string session_id);
  asio::awaitable<std::vector<SessionSnapshot>> list(SessionFilter filter);  // newest first

  // Those of oriel.toml, and those that sessions work in; the one of the newest event first.
  asio::awaitable<std::vector<ProjectInfo>> projects();

  // A session's turns in their order. Refused: unknown_session.
  asio::awaitable<Result<std::vector<Turn>>> turns(std::string session_id);

  // A hook of an agent that somebody else runs; see Observer::take.
  asio::awaitable<Result<std::string>> observe(IncomingHook incoming);

  // Of sessions that were before Oriel looked.
  Importer& importer() { return importer_; }

  asio::awaitable<std::vector<AgentInfo>> agents();

  // Files that are on their way to sessions, or there; on any shard.
  Uploads& uploads() { return uploads_; }

  const std::string& default_agent() const { return options_.default_agent; }

 private:
  asio::awaitable<Result<SessionMade>> create_here(NewSession wanted);
  asio::awaitable<Result<MessageTaken>> message_here(std::string session_id, std::string text,
                                                     std::string request_id);
  asio::awaitable<Result<MessageTaken>> say_here(NewTurn turn);
  asio::awaitable<Result<MessageTaken>> talk_here(
      std::string session_id,
      std::function<asio::awaitable<Result<MessageTaken>>(SessionRunner&)> talk);
  template <class T>
  asio::awaitable<Result<T>> command_here(
      std::string session_id, std::function<asio::awaitable<Result<T>>(SessionRunner&)> command);
  asio::awaitable<Result<SessionSnapshot>> end_here(std::string session_id);
  asio::awaitable<Result<SessionMade>> begin(std::string session_id, NewSession wanted);
  asio::awaitable<Result<SessionMade>> repeat(std::string session_id, NewSession wanted);
  ProjectSpec project_of(const NewSession& wanted) const;
  asio::awaitable<Result<std::string>> workspace_for(SessionState state, std::string repository);
  asio::awaitable<void> clean_up();
  asio::awaitable<void> restore_all();
  asio::awaitable<void> restore(SessionState state);
  asio::awaitable<void> forget_oldest();
  asio::awaitable<void> reap_now_and_then();

  Result<AgentSpec> spec_for(const SessionState& state) const;
  Result<std::shared_ptr<SessionRunner>> open(SessionEntry& entry);
  void make_runner(SessionEntry& entry, AgentSpec spec);
  static void close(SessionEntry& entry);
  asio::any_io_executor executor_of(const SessionEntry& entry);

  Shards& shards_;
  Journal& journal_;
  SupervisorOptions options_;
  asio::any_io_executor home_;
  BlockingThread blocking_;
  std::future<std::vector<SessionSnapshot>> found_;  // in the journal, at start
  std::future<std::size_t> abandoned_;               // processes that are ended, at start
  SessionRegistry sessions_;
  Observer observer_;
  Importer importer_;
  Uploads uploads_;
  bool is_stopping_ = false;
  TaskGroup tasks_;
};

}  // namespace oriel
