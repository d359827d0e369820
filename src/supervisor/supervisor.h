#pragma once
// Hosted sessions, observed agents, imports of transcripts, and uploaded files. Endpoints use only
// this class.

#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "supervisor/agent_catalog.h"
#include "supervisor/changes/session_changes.h"
#include "supervisor/cluster/cluster_sessions.h"
#include "supervisor/files/directory_names.h"
#include "supervisor/observers/importer.h"
#include "supervisor/observers/observer.h"
#include "supervisor/organize/organizer.h"
#include "supervisor/orphan_reaper.h"
#include "supervisor/project_list.h"
#include "supervisor/sessions/new_turn.h"
#include "supervisor/sessions/session_creator.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/session_restorer.h"
#include "supervisor/sessions/session_runners.h"
#include "supervisor/sessions/uploads.h"
#include "supervisor/sessions/workspace_retention.h"
#include "supervisor/sync/workspace_sync.h"

#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct SupervisorOptions {
  std::vector<AgentSpec> agents;
  std::string default_agent;
  std::vector<ProjectSpec> projects;
  std::chrono::milliseconds retain_workspaces{0};  // workspaces of ended sessions; 0: no limit
  SandboxPlaces sandbox;
  std::filesystem::path sync_repositories;  // Oriel's own, of sessions whose workspaces are pushed
  RegistryLimits limits;
  RunnerOptions runner;
  ObserverOptions observer;
  ImportOptions import;
  UploadOptions uploads;
  SnapshotOptions changes;
  ClusterSessionsOptions cluster = {};
};

// Owned by the server; lives on the first shard. Its functions may be awaited on any shard; their
// changes are stored when they return. Their errors are those of SessionRunners and SessionCreator.
// `by` is the principal that sends a command. In a cluster it knows the sessions of all nodes, and
// passes commands on to the node that runs the session: then they may also fail with
// node_unreachable, and with overtaken if the session changes hands meanwhile.
class Supervisor {
 public:
  // Starts to load stored sessions and to end leftover processes, in parallel with the construction
  // of the other modules. `peers` are the other nodes; null: there is no cluster. In a cluster,
  // construct it before the journal and the peers start.
  Supervisor(Shards& shards, Journal& journal, SupervisorOptions options, Peers* peers = nullptr);

  // Sets the listener that agents with allow_oriel may reach. Call this before start().
  void set_listener(std::uint16_t port, bool uses_tls) { runners_.set_listener(port, uses_tls); }

  // Hides the server's Unix socket from sandboxes. Call this before start().
  void hide_socket(std::filesystem::path socket) { runners_.hide_socket(std::move(socket)); }

  // Returns when leftover processes have ended and, in a cluster, all stored sessions can be read.
  asio::awaitable<void> load();

  // The same, and begins to work: returns when all stored sessions are known. In a cluster, call it
  // when the journal has caught up.
  asio::awaitable<void> start();

  // Stops all agents concurrently; further commands fail with stopping.
  asio::awaitable<void> stop();

  // Resolves the directory of a NewSession, on the node that it names. Error: invalid_workspace.
  asio::awaitable<Result<std::string>> resolve_workspace(std::string directory,
                                                         std::string node = {});

  asio::awaitable<Result<CreatedSession>> create(NewSession wanted);
  asio::awaitable<Result<MessageTaken>> message(std::string session_id, UserMessage said);

  // A message, or the answer to a question in words if exactly one is open. `upload` has the files
  // of the turn, which become the session's unless the turn is refused or repeated; null: no files.
  // Errors: those of Upload, too.
  asio::awaitable<Result<MessageTaken>> say(NewTurn turn, std::shared_ptr<Upload> upload = nullptr);

  asio::awaitable<Result<std::string>> cancel(std::string session_id, std::string by);
  asio::awaitable<Result<std::string>> answer(std::string session_id, std::string permission_id,
                                              Decision decision);
  asio::awaitable<Result<SessionSnapshot>> end(std::string session_id, std::string by);

  // Names, pins, archives or labels a session, also an observed one, on any node. Errors:
  // unknown_session, invalid_request, those of the journal.
  asio::awaitable<Result<SessionSnapshot>> organize(std::string session_id,
                                                    OrganizationChange change, std::string by);

  asio::awaitable<Result<SessionSnapshot>> find(std::string session_id);
  asio::awaitable<std::vector<SessionSnapshot>> list(SessionFilter filter);  // newest first

  // The projects of oriel.toml and of sessions, ordered by the newest event.
  asio::awaitable<std::vector<ProjectInfo>> projects();

  // A session's turns in their order. Error: unknown_session.
  asio::awaitable<Result<std::vector<Turn>>> turns(std::string session_id);

  // What the session has changed in its workspace; see SessionChanges. In a cluster the node that
  // runs the session answers; if it is gone, this one does as far as events show it.
  asio::awaitable<Result<ChangesAnswer>> changes(std::string session_id, ChangesQuery query);

  // Accepts a hook of an observed agent; see Observer::take. In a cluster it goes to the node that
  // observes the agent. Error: not_allowed, if its working directory is outside the sender's
  // projects.
  asio::awaitable<Result<std::string>> observe(IncomingHook incoming);

  asio::awaitable<std::vector<AgentInfo>> agents();

  const std::string& default_agent() const { return agents_.default_agent(); }

  // The agent of such a session. Error: unknown_agent. Usable on any shard.
  Result<AgentSpec> agent_of(const NewSession& wanted) const;

  // The projects of oriel.toml.
  const std::vector<ProjectSpec>& configured_projects() const { return projects_; }

  // Opens a file of one of the session's turns, in a cluster on whichever node has it. Errors:
  // unknown_file, node_unreachable.
  asio::awaitable<Result<Download>> download(std::string session_id, TurnFile file);

  // Paths of a hosted session's workspace that fit what is typed; see find_paths(). Errors:
  // workspace_failed, node_unreachable.
  asio::awaitable<Result<FoundPaths>> paths(std::string session_id, std::string typed,
                                            std::size_t most);

  // Directories of this machine that begin with what is typed; see find_directories().
  asio::awaitable<FoundPaths> directories(std::string typed, std::size_t most);

  // Imports sessions that ended before Oriel watched.
  Importer& importer() { return importer_; }

  // May be used on any shard.
  Uploads& uploads() { return uploads_; }

 private:
  asio::awaitable<void> restore_sessions();
  template <class Call>
  asio::awaitable<Result<typename Call::Answer>> send(Call call);
  template <class Call>
  asio::awaitable<Result<std::string>> handle(std::string body);
  template <class Call>
  void serve(Peers& peers);

  // On the owner shard.
  template <class Call>
  asio::awaitable<Result<typename Call::Answer>> run(Call call);
  asio::awaitable<Result<CreatedSession>> run(CreateCall call);
  void add_agent_labels(NewSession& wanted) const;
  asio::awaitable<Result<ChangesAnswer>> run(ChangesCall call);
  asio::awaitable<Result<std::string>> run(HookCall call);
  asio::awaitable<Result<std::string>> resolve_elsewhere(ResolveCall call, std::string node);
  asio::awaitable<Result<void>> admit(const SessionCall auto& call);
  asio::awaitable<Result<void>> admit(const CreateCall& call);
  asio::awaitable<Result<void>> admit(const ResolveCall& call);
  asio::awaitable<Result<void>> admit(const ChangesCall& call);
  asio::awaitable<Result<void>> admit(const HookCall& call);
  asio::awaitable<Result<MessageTaken>> run_here(MessageCall call);
  asio::awaitable<Result<MessageTaken>> run_here(SayCall call);
  asio::awaitable<Result<std::string>> run_here(CancelCall call);
  asio::awaitable<Result<std::string>> run_here(AnswerCall call);
  asio::awaitable<Result<SessionSnapshot>> run_here(EndCall call);
  asio::awaitable<Result<FoundPaths>> run_here(PathsCall call);
  asio::awaitable<Result<ChangesAnswer>> run_here(ChangesCall call);
  asio::awaitable<FoundPaths> directories_here(std::string typed, std::size_t most);
  asio::awaitable<Result<CreatedSession>> run_here(CreateCall call);
  asio::awaitable<Result<std::string>> run_here(ResolveCall call);
  asio::awaitable<Result<std::string>> run_here(HookCall call);
  asio::awaitable<Result<std::string>> observe_here(IncomingHook incoming);
  asio::awaitable<Result<Download>> download_here(std::string session_id, TurnFile file);
  asio::awaitable<void> evict_sessions();

  Journal& journal_;
  bool is_loaded_ = false;
  std::vector<ProjectSpec> projects_;
  asio::any_io_executor owner_shard_;
  BlockingThread blocking_;
  LazyThread path_thread_;  // on the owner shard; a slow file system delays only other searches
  OrphanReaper reaper_;
  std::unique_ptr<SessionRestorer> restorer_;  // null in a cluster
  AgentCatalog agents_;
  Uploads uploads_;
  std::unique_ptr<WorkspaceSync> sync_;  // null: no workspace is pushed
  SessionRegistry sessions_;
  Organizer organizer_;
  SessionRunners runners_;
  std::unique_ptr<ClusterSessions> cluster_;  // null: there is none
  SessionChanges changes_;
  SessionCreator creator_;
  WorkspaceRetention workspaces_;
  Observer observer_;
  Importer importer_;
};

}  // namespace oriel
