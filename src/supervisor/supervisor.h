#pragma once
// Hosted sessions, observed agents, imports of transcripts, and uploaded files. Endpoints use only
// this class.

#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "supervisor/agent_catalog.h"
#include "supervisor/observers/importer.h"
#include "supervisor/observers/observer.h"
#include "supervisor/orphan_reaper.h"
#include "supervisor/project_list.h"
#include "supervisor/sessions/new_turn.h"
#include "supervisor/sessions/session_creator.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/session_restorer.h"
#include "supervisor/sessions/session_runners.h"
#include "supervisor/sessions/uploads.h"
#include "supervisor/sessions/workspace_retention.h"

#include <string>
#include <vector>

namespace oriel {

struct SupervisorOptions {
  std::vector<AgentSpec> agents;
  std::string default_agent;
  std::vector<ProjectSpec> projects;
  std::chrono::milliseconds retain_workspaces{0};  // workspaces of ended sessions; 0: no limit
  SandboxPlaces sandbox;
  RegistryLimits limits;
  RunnerOptions runner;
  ObserverOptions observer;
  ImportOptions import;
  UploadOptions uploads;
};

// Owned by the server; lives on the first shard. Its functions may be awaited on any shard; their
// changes are stored when they return. Their errors are those of SessionRunners and SessionCreator.
// `by` is the principal that sends a command.
class Supervisor {
 public:
  // Starts to load stored sessions and to end leftover processes, in parallel with the construction
  // of the other modules.
  Supervisor(Shards& shards, Journal& journal, SupervisorOptions options);

  // Sets the listener that agents with allow_oriel may reach. Call this before start().
  void set_listener(std::uint16_t port, bool uses_tls) { runners_.set_listener(port, uses_tls); }

  // Hides the server's Unix socket from sandboxes. Call this before start().
  void hide_socket(std::filesystem::path socket) { runners_.hide_socket(std::move(socket)); }

  // Returns when all stored sessions are known and leftover processes have ended.
  asio::awaitable<void> start();

  // Stops all agents concurrently; further commands fail with stopping.
  asio::awaitable<void> stop();

  // Resolves the directory of a NewSession. Error: invalid_workspace.
  asio::awaitable<Result<std::string>> resolve_workspace(std::string directory);

  asio::awaitable<Result<CreatedSession>> create(NewSession wanted);
  asio::awaitable<Result<MessageTaken>> message(std::string session_id, UserMessage said);

  // A message, or the answer to a question in words if exactly one is open.
  asio::awaitable<Result<MessageTaken>> say(NewTurn turn);

  asio::awaitable<Result<std::string>> cancel(std::string session_id, std::string by);
  asio::awaitable<Result<std::string>> answer(std::string session_id, std::string permission_id,
                                              Decision decision);
  asio::awaitable<Result<SessionSnapshot>> end(std::string session_id, std::string by);

  asio::awaitable<Result<SessionSnapshot>> find(std::string session_id);
  asio::awaitable<std::vector<SessionSnapshot>> list(SessionFilter filter);  // newest first

  // The projects of oriel.toml and of sessions, ordered by the newest event.
  asio::awaitable<std::vector<ProjectInfo>> projects();

  // A session's turns in their order. Error: unknown_session.
  asio::awaitable<Result<std::vector<Turn>>> turns(std::string session_id);

  // Accepts a hook of an observed agent; see Observer::take. Error: not_allowed, if its working
  // directory is outside the sender's projects.
  asio::awaitable<Result<std::string>> observe(IncomingHook incoming);

  asio::awaitable<std::vector<AgentInfo>> agents();

  const std::string& default_agent() const { return agents_.default_agent(); }

  // The agent of such a session. Error: unknown_agent. Usable on any shard.
  Result<AgentSpec> agent_of(const NewSession& wanted) const;

  // The projects of oriel.toml.
  const std::vector<ProjectSpec>& configured_projects() const { return projects_; }

  // Imports sessions that ended before Oriel watched.
  Importer& importer() { return importer_; }

  // May be used on any shard.
  Uploads& uploads() { return uploads_; }

 private:
  asio::awaitable<Result<CreatedSession>> create_here(NewSession wanted);
  asio::awaitable<Result<MessageTaken>> say_here(NewTurn turn);
  asio::awaitable<void> evict_sessions();

  Journal& journal_;
  std::vector<ProjectSpec> projects_;
  asio::any_io_executor owner_shard_;
  BlockingThread blocking_;
  OrphanReaper reaper_;
  SessionRestorer restorer_;
  AgentCatalog agents_;
  Uploads uploads_;
  SessionRegistry sessions_;
  SessionRunners runners_;
  SessionCreator creator_;
  WorkspaceRetention workspaces_;
  Observer observer_;
  Importer importer_;
};

}  // namespace oriel
