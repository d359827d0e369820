#include "supervisor/supervisor.h"

#include "agent/sandbox/sandbox.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"
#include "supervisor/now.h"
#include "supervisor/turn_documents.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace oriel {

namespace {

// How often a command follows a session that changes hands.
constexpr int kMaxRoutes = 3;

// How long a request waits for the session that another node creates for it.
constexpr std::chrono::seconds kMaxRace{10};
constexpr std::chrono::milliseconds kRacePause{20};

Error no_cluster() {
  return {.kind = ErrorKind::kInvalidParameter,
          .message = "node, node_labels: this server is not part of a cluster",
          .hint = "leave it out"};
}

OwnNode own_node(const Peers* peers) {
  if (peers == nullptr) return {};
  return {.name = peers->self(), .life = peers->life()};
}

Error missing_files(const std::string& session_id) {
  return {.kind = ErrorKind::kUploadFailed,
          .message = "the node of session " + session_id + " does not have the files of this turn",
          .hint = "send them again"};
}

Error file_elsewhere(const TurnFile& file) {
  return {.kind = ErrorKind::kUnknownFile,
          .message = "no node that can be reached has the file " + quote(file.name),
          .hint =
              "it is on the disk of the node that ran the session when it was sent: retry once "
              "that node is back, or send it again"};
}

std::vector<TurnFile> files_of(const std::shared_ptr<Upload>& upload) {
  return upload ? upload->files() : std::vector<TurnFile>();
}

ImportOptions import_options(ImportOptions options, std::string node) {
  options.node = std::move(node);
  return options;
}

RunnerOptions runner_options(RunnerOptions options, WorkspaceSync* sync) {
  options.sync = sync;
  return options;
}

std::unique_ptr<WorkspaceSync> make_sync(const std::vector<ProjectSpec>& projects,
                                         const SupervisorOptions& options) {
  if (!any_synced(projects)) return nullptr;
  const SyncPlaces places{.repositories = options.sync_repositories,
                          .workspaces = options.sandbox.workspaces};
  return std::make_unique<WorkspaceSync>(projects, places);
}

std::unique_ptr<SessionRestorer> make_restorer(Journal& journal, BlockingThread& blocking,
                                               const Peers* peers) {
  // In a cluster the journal may have to catch up before its sessions are read.
  if (peers != nullptr) return nullptr;
  return std::make_unique<SessionRestorer>(journal, blocking);
}

}  // namespace

Supervisor::Supervisor(Shards& shards, Journal& journal, SupervisorOptions options, Peers* peers)
    : journal_(journal),
      projects_(std::move(options.projects)),
      owner_shard_(shards[0].executor()),
      reaper_(owner_shard_, blocking_),
      restorer_(make_restorer(journal, blocking_, peers)),
      agents_(std::move(options.agents), std::move(options.default_agent)),
      uploads_(std::move(options.uploads)),
      sync_(make_sync(projects_, options)),
      sessions_(options.limits, own_node(peers)),
      organizer_(journal, sessions_),
      runners_(shards, journal, sessions_, agents_, uploads_,
               runner_options(options.runner, sync_.get()), options.sandbox),
      changes_(owner_shard_, journal, std::move(options.changes)),
      creator_(sessions_, runners_, agents_, projects_, options.sandbox.workspaces, blocking_,
               changes_.snapshots()),
      workspaces_(owner_shard_, blocking_, sessions_, projects_,
                  std::move(options.sandbox.workspaces), options.retain_workspaces,
                  [&journal] { return journal.clock_ahead(); }),
      observer_(shards, journal, sessions_, std::move(options.observer)),
      importer_(owner_shard_, journal, observer_,
                import_options(std::move(options.import), sessions_.own_node().name)) {
  if (peers == nullptr) return;
  cluster_ =
      std::make_unique<ClusterSessions>(owner_shard_, journal, blocking_, sessions_, runners_,
                                        uploads_, *peers, options.cluster, sync_.get());
  serve<MessageCall>(*peers);
  serve<SayCall>(*peers);
  serve<CancelCall>(*peers);
  serve<AnswerCall>(*peers);
  serve<EndCall>(*peers);
  serve<PathsCall>(*peers);
  serve<ChangesCall>(*peers);
  serve<CreateCall>(*peers);
  serve<ResolveCall>(*peers);
  serve<HookCall>(*peers);
}

asio::awaitable<void> Supervisor::load() {
  co_await reaper_.start();
  if (cluster_) co_await cluster_->load_sessions();
  is_loaded_ = true;
}

asio::awaitable<void> Supervisor::start() {
  if (!is_loaded_) co_await load();
  if (cluster_)
    co_await cluster_->start();
  else
    co_await restore_sessions();
  auto is_session = [ids = sessions_.ids()](const std::string& id) {
    return std::binary_search(ids.begin(), ids.end(), id);
  };
  if (sync_) co_await sync_->forget_unknown(is_session);
  co_await changes_.snapshots().forget_unknown(is_session);
  co_await uploads_.start(std::move(is_session));
  co_await observer_.start();
  co_await importer_.start();
  if (!cluster_) co_await organizer_.load();
  co_await evict_sessions();
  workspaces_.start();
}

asio::awaitable<void> Supervisor::restore_sessions() {
  for (RestoredSession& restored : co_await restorer_->restore_all()) {
    SessionEntry& entry = sessions_.add(std::move(restored.session));
    if (!restored.unstored) continue;
    auto interrupting = runners_.interrupt(entry, *std::move(restored.unstored));
    co_await std::move(interrupting);
  }
}

asio::awaitable<void> Supervisor::stop() {
  runners_.refuse_commands();
  if (cluster_) cluster_->drain();
  TaskGroup stops(owner_shard_);
  stops.spawn("stop sessions", runners_.stop_all());
  co_await workspaces_.stop();
  co_await reaper_.stop();
  co_await importer_.stop();
  co_await observer_.stop();
  co_await stops.joined();
  if (cluster_) co_await cluster_->stop();
}

asio::awaitable<Result<std::string>> Supervisor::resolve_workspace(std::string directory,
                                                                   std::string node) {
  ResolveCall call{.directory = std::move(directory)};
  const bool is_here = node.empty() || node == sessions_.own_node().name || !cluster_;
  auto work =
      is_here ? run_here(std::move(call)) : resolve_elsewhere(std::move(call), std::move(node));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::run_here(ResolveCall call) {
  auto resolve = [directory = std::move(call.directory)] { return check_workspace(directory); };
  co_return co_await blocking_.run(std::move(resolve));
}

asio::awaitable<Result<std::string>> Supervisor::resolve_elsewhere(ResolveCall call,
                                                                   std::string node) {
  auto calling = cluster_->call(std::move(node), std::move(call));
  co_return co_await std::move(calling);
}

asio::awaitable<Result<CreatedSession>> Supervisor::create(NewSession wanted) {
  const bool needs_cluster = !wanted.node.empty() || !wanted.node_labels.empty();
  if (!cluster_ && needs_cluster) co_return no_cluster();
  CreateCall call{.wanted = std::move(wanted)};
  auto sending = send(std::move(call));
  co_return co_await std::move(sending);
}

asio::awaitable<Result<MessageTaken>> Supervisor::message(std::string session_id,
                                                          UserMessage said) {
  MessageCall call{.session_id = std::move(session_id), .said = std::move(said)};
  return send(std::move(call));
}

asio::awaitable<Result<MessageTaken>> Supervisor::say(NewTurn turn,
                                                      std::shared_ptr<Upload> upload) {
  SayCall call;
  call.session_id = turn.session_id;
  if (upload) turn.origin.files = upload->files();
  call.turn = std::move(turn);
  call.upload = std::move(upload);
  return send(std::move(call));
}

asio::awaitable<Result<std::string>> Supervisor::cancel(std::string session_id, std::string by) {
  CancelCall call{.session_id = std::move(session_id), .by = std::move(by)};
  return send(std::move(call));
}

asio::awaitable<Result<std::string>> Supervisor::answer(std::string session_id,
                                                        std::string permission_id,
                                                        Decision decision) {
  AnswerCall call{.session_id = std::move(session_id),
                  .permission_id = std::move(permission_id),
                  .decision = std::move(decision)};
  return send(std::move(call));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end(std::string session_id, std::string by) {
  EndCall call{.session_id = std::move(session_id), .by = std::move(by)};
  return send(std::move(call));
}

template <class Call>
asio::awaitable<Result<typename Call::Answer>> Supervisor::send(Call call) {
  auto work = run(std::move(call));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

template <class Call>
void Supervisor::serve(Peers& peers) {
  peers.serve(std::string(Call::kMethod),
              [this](std::string body) { return handle<Call>(std::move(body)); });
}

// A call of another node, which does not go any further.
template <class Call>
asio::awaitable<Result<std::string>> Supervisor::handle(std::string body) {
  auto call = parse_call<Call>(body);
  if (!call) co_return call.error();
  const auto admitted = co_await admit(*call);
  if (!admitted) co_return admitted.error();
  auto work = run_here(*std::move(call));
  const auto answer = co_await std::move(work);
  if (!answer) co_return answer.error();
  co_return to_json(*answer);
}

asio::awaitable<Result<void>> Supervisor::admit(const SessionCall auto& call) {
  return cluster_->admit(call.session_id);
}

// The other node has checked who may use the directory: here it must be the same one.
asio::awaitable<Result<void>> Supervisor::admit(const CreateCall& call) {
  const std::string directory = call.wanted.workspace;
  if (directory.empty()) co_return Result<void>();
  ResolveCall resolve{.directory = directory};
  auto resolving = run_here(std::move(resolve));
  const auto resolved = co_await std::move(resolving);
  if (!resolved) co_return resolved.error();
  if (*resolved == directory) co_return Result<void>();
  co_return Error{.kind = ErrorKind::kInvalidWorkspace,
                  .message = "workspace: " + directory + " is " + *resolved + " on the node " +
                             sessions_.own_node().name,
                  .hint = "name the directory without links, or another node"};
}

asio::awaitable<Result<void>> Supervisor::admit(const ResolveCall&) {
  co_return Result<void>();
}

asio::awaitable<Result<void>> Supervisor::admit(const HookCall&) {
  co_return Result<void>();
}

// It reads, so that it may be too late: the answer then has what the events show.
asio::awaitable<Result<void>> Supervisor::admit(const ChangesCall&) {
  co_return Result<void>();
}

// Follows a session that changes hands meanwhile: then the command has had no effect.
template <class Call>
asio::awaitable<Result<typename Call::Answer>> Supervisor::run(Call call) {
  for (int routes = 0; cluster_ && routes < kMaxRoutes; ++routes) {
    const auto node = co_await cluster_->route(call.session_id);
    if (!node && node.error().kind == ErrorKind::kOvertaken) continue;
    if (!node) co_return node.error();
    if (node->empty()) break;
    auto calling = cluster_->call(*node, call);
    auto answer = co_await std::move(calling);
    if (answer || answer.error().kind != ErrorKind::kOvertaken) co_return answer;
  }
  auto work = run_here(std::move(call));
  co_return co_await std::move(work);
}

// Another node may answer the same request at once: then the first one's session counts, once its
// first message is sent.
asio::awaitable<Result<CreatedSession>> Supervisor::run(CreateCall call) {
  const SteadyTime until = now().steady + kMaxRace;
  bool has_lost = false;
  std::set<std::string> full;  // nodes
  add_agent_labels(call.wanted);
  while (cluster_ && now().steady < until) {
    auto placing = cluster_->place(call.wanted, full);
    const auto node = co_await std::move(placing);
    if (!node) co_return node.error();
    auto work = node->empty() ? run_here(call) : cluster_->call(*node, call);
    auto created = co_await std::move(work);
    if (created) co_return created;
    const ErrorKind problem = created.error().kind;
    if (problem == ErrorKind::kOvertaken) has_lost = true;
    const bool is_race = has_lost && problem == ErrorKind::kInProgress;
    // Its load was not known here yet.
    const bool is_full = problem == ErrorKind::kTooManySessions && call.wanted.node.empty();
    if (is_full && full.insert(node->empty() ? sessions_.own_node().name : *node).second) continue;
    if (problem != ErrorKind::kOvertaken && !is_race) co_return created;
    asio::steady_timer pause(owner_shard_, kRacePause);
    co_await pause.async_wait(kNoThrow);
  }
  auto work = run_here(std::move(call));
  co_return co_await std::move(work);
}

void Supervisor::add_agent_labels(NewSession& wanted) const {
  const auto agent = agent_of(wanted);
  if (!agent) return;  // the creation fails
  for (const std::string& label : agent->node_labels) {
    if (!has_labels(wanted.node_labels, {label})) wanted.node_labels.push_back(label);
  }
}

asio::awaitable<Result<ChangesAnswer>> Supervisor::run(ChangesCall call) {
  std::string node;
  if (cluster_) node = cluster_->places_of_files(call.session_id).nodes.front();
  auto work =
      node.empty() ? run_here(std::move(call)) : cluster_->call(std::move(node), std::move(call));
  co_return co_await std::move(work);
}

asio::awaitable<Result<MessageTaken>> Supervisor::run_here(MessageCall call) {
  auto message = [said = std::move(call.said)](SessionRunner& runner) mutable {
    return runner.message(std::move(said));
  };
  return runners_.start_task(std::move(call.session_id), std::move(message));
}

asio::awaitable<Result<MessageTaken>> Supervisor::run_here(SayCall call) {
  std::string session_id = std::move(call.session_id);
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (entry->state->is_observed) co_return observed(session_id);
  const auto spec = runners_.spec_for(*entry->state);
  if (!spec) co_return spec.error();
  std::shared_ptr<Upload> upload = std::move(call.upload);
  if (!call.transfer_id.empty()) upload = cluster_->files().take(call.transfer_id);
  if (call.turn.origin.files != files_of(upload)) co_return missing_files(session_id);
  if (upload) {
    auto moving = upload->move_to(session_id);
    const auto moved = co_await std::move(moving);
    if (!moved) co_return moved.error();
  }
  const std::string directory = uploads_inside(spec->sandbox, uploads_.directory_of(session_id));
  auto say = [message = to_message(std::move(call.turn), directory)](
                 SessionRunner& runner) mutable { return runner.say(std::move(message)); };
  auto work = runners_.start_task(std::move(session_id), std::move(say));
  auto taken = co_await std::move(work);
  // The files of a repeated turn are there already.
  if (upload && taken && !taken->is_repeat) upload->keep();
  co_return taken;
}

asio::awaitable<Result<std::string>> Supervisor::run_here(CancelCall call) {
  auto cancel = [by = std::move(call.by)](SessionRunner& runner) mutable {
    return runner.cancel(std::move(by));
  };
  return runners_.run(std::move(call.session_id), std::move(cancel));
}

asio::awaitable<Result<std::string>> Supervisor::run_here(AnswerCall call) {
  auto answer = [permission_id = std::move(call.permission_id),
                 decision = std::move(call.decision)](SessionRunner& runner) mutable {
    return runner.answer(std::move(permission_id), std::move(decision));
  };
  return runners_.run(std::move(call.session_id), std::move(answer));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::run_here(EndCall call) {
  return runners_.end(std::move(call.session_id), std::move(call.by));
}

asio::awaitable<Result<FoundPaths>> Supervisor::paths(std::string session_id, std::string typed,
                                                      std::size_t most) {
  PathsCall call{.session_id = std::move(session_id), .typed = std::move(typed), .most = most};
  return send(std::move(call));
}

// The directory of an observed session is what a hook says: any.
asio::awaitable<Result<FoundPaths>> Supervisor::run_here(PathsCall call) {
  const SessionEntry* const found = sessions_.find(call.session_id);
  if (found == nullptr) co_return unknown_session(call.session_id);
  if (found->state->is_observed) co_return observed(call.session_id);
  auto search = [workspace = found->state->workspace, typed = std::move(call.typed),
                 most = call.most] { return find_paths(workspace, typed, most); };
  auto searching = path_thread_.run(std::move(search));
  co_return co_await std::move(searching);
}

asio::awaitable<Result<ChangesAnswer>> Supervisor::run_here(ChangesCall call) {
  const SessionEntry* const entry = sessions_.find(call.session_id);
  if (entry == nullptr) co_return unknown_session(call.session_id);
  ChangesOf of{.session = entry->state, .redactor = std::make_shared<const Redactor>()};
  if (const auto spec = runners_.spec_for(*entry->state); spec && !entry->state->is_observed) {
    of.redactor = runners_.redactor_for(*spec);
    if (spec->sandbox == SandboxKind::kNone) of.link = RepositoryLink::kFollowed;
  }
  auto showing = changes_.show(std::move(of), std::move(call.query));
  co_return co_await std::move(showing);
}

asio::awaitable<FoundPaths> Supervisor::directories(std::string typed, std::size_t most) {
  auto searching = directories_here(std::move(typed), most);
  co_return co_await finish_on(owner_shard_, std::move(searching));
}

asio::awaitable<FoundPaths> Supervisor::directories_here(std::string typed, std::size_t most) {
  auto search = [typed = std::move(typed), most] { return find_directories(typed, most); };
  return path_thread_.run(std::move(search));
}

asio::awaitable<Result<CreatedSession>> Supervisor::run_here(CreateCall call) {
  auto created = co_await creator_.create(std::move(call.wanted));
  co_await evict_sessions();
  co_return created;
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::organize(std::string session_id,
                                                              OrganizationChange change,
                                                              std::string by) {
  auto work = organizer_.change(std::move(session_id), std::move(change), std::move(by));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::find(std::string session_id) {
  auto look = [this, session_id = std::move(session_id)]() -> Result<SessionSnapshot> {
    const SessionEntry* const found = sessions_.find(session_id);
    if (found == nullptr) return unknown_session(session_id);
    return found->shown();
  };
  co_return co_await run_on(owner_shard_, std::move(look));
}

asio::awaitable<std::vector<SessionSnapshot>> Supervisor::list(SessionFilter filter) {
  auto look = [this, filter = std::move(filter)] { return sessions_.list(filter); };
  co_return co_await run_on(owner_shard_, std::move(look));
}

asio::awaitable<std::vector<ProjectInfo>> Supervisor::projects() {
  auto look = [this] { return list_projects(projects_, sessions_.list({})); };
  co_return co_await run_on(owner_shard_, std::move(look));
}

asio::awaitable<Result<std::vector<Turn>>> Supervisor::turns(std::string session_id) {
  const auto found = co_await find(session_id);
  if (!found) co_return found.error();
  co_return co_await read_turns(journal_, blocking_, std::move(session_id));
}

asio::awaitable<Result<Download>> Supervisor::download(std::string session_id, TurnFile file) {
  if (!cluster_) co_return co_await download_here(std::move(session_id), std::move(file));
  auto look = [this, session_id] { return cluster_->places_of_files(session_id); };
  ClusterSessions::FilePlaces places = co_await run_on(owner_shard_, std::move(look));
  std::optional<Error> problem = std::move(places.lost);
  for (const std::string& node : places.nodes) {
    auto opening = node.empty() ? download_here(session_id, file)
                                : cluster_->files().open(node, session_id, file);
    auto opened = co_await std::move(opening);
    if (opened) co_return opened;
    if (!problem) problem = opened.error();
  }
  if (problem->kind == ErrorKind::kUnknownFile) problem = file_elsewhere(file);
  co_return *std::move(problem);
}

asio::awaitable<Result<Download>> Supervisor::download_here(std::string session_id, TurnFile file) {
  auto opening = uploads_.open(std::move(session_id), std::move(file));
  const auto stored = co_await std::move(opening);
  if (!stored) co_return stored.error();
  co_return Download{.size = (*stored)->size(),
                     .next = [this, stored = *stored] { return uploads_.read(stored); }};
}

asio::awaitable<Result<ChangesAnswer>> Supervisor::changes(std::string session_id,
                                                           ChangesQuery query) {
  ChangesCall call{.session_id = std::move(session_id), .query = std::move(query)};
  return send(std::move(call));
}

asio::awaitable<Result<std::string>> Supervisor::observe(IncomingHook incoming) {
  HookCall call{.incoming = std::move(incoming)};
  return send(std::move(call));
}

// Nobody observes a new agent: this node does from now on.
asio::awaitable<Result<std::string>> Supervisor::run(HookCall call) {
  Result<std::string> node(boost::system::in_place_value, "");
  if (cluster_) node = cluster_->node_observing(call.incoming.hook.session_id);
  if (!node) co_return node.error();
  if (node->empty()) {
    auto observing = observe_here(std::move(call.incoming));
    co_return co_await std::move(observing);
  }
  // A number of this machine.
  call.incoming.hook.pid.reset();
  auto calling = cluster_->call(*std::move(node), std::move(call));
  co_return co_await std::move(calling);
}

asio::awaitable<Result<std::string>> Supervisor::run_here(HookCall call) {
  call.incoming.at = now();
  return observe_here(std::move(call.incoming));
}

asio::awaitable<Result<std::string>> Supervisor::observe_here(IncomingHook incoming) {
  if (!incoming.projects.empty()) {
    auto find = [this, cwd = incoming.hook.cwd] { return project_at(cwd, projects_); };
    const Project project = co_await blocking_.run(std::move(find));
    const auto& allowed = incoming.projects;
    if (std::find(allowed.begin(), allowed.end(), project.project_id) == allowed.end())
      co_return foreign_hook();
    incoming.project_id = project.project_id;
  }
  co_return observer_.take(std::move(incoming));
}

Result<AgentSpec> Supervisor::agent_of(const NewSession& wanted) const {
  return agents_.find(creator_.project_of(wanted).agent);
}

asio::awaitable<std::vector<AgentInfo>> Supervisor::agents() {
  auto look = [this] { return agents_.list(); };
  co_return co_await blocking_.run(look);
}

// Keeps the number of inactive sessions within its limit. The events of an evicted one stay.
asio::awaitable<void> Supervisor::evict_sessions() {
  while (const auto evicted = sessions_.evict_oldest()) {
    const std::string session_id = evicted->state->session_id;
    co_await runners_.stop(*evicted);
    co_await uploads_.remove(session_id);
    auto remove_home = [home = runners_.home_of(session_id)] {
      std::error_code ignored;
      if (!home.empty()) std::filesystem::remove_all(home, ignored);
    };
    co_await blocking_.run(std::move(remove_home));
    if (sync_) co_await sync_->forget(session_id);
    auto forgetting = changes_.snapshots().forget(session_id, evicted->state->workspace);
    co_await std::move(forgetting);
    std::vector<Guard> guards;
    std::vector<Document> documents = {{.key = document_key(session_id), .value = {}}};
    if (evicted->organization != Organization())
      documents.push_back({.key = organized_document_key(session_id), .value = {}});
    if (sync_) documents.push_back({.key = pushed_document_key(session_id), .value = {}});
    if (cluster_) {
      const std::string key = owner_document_key(session_id);
      guards = {{.key = key, .value = evicted->owner}};
      documents.push_back({.key = key, .value = {}});
      if (!evicted->state->request_id.empty())
        documents.push_back(
            {.key = request_document_key(request_key_of(*evicted->state)), .value = {}});
    }
    co_await remove_turns(journal_, session_id, guards);
    Proposal removal{.records = {}, .documents = std::move(documents), .guards = std::move(guards)};
    auto removing = journal_.append(std::move(removal));
    co_await std::move(removing);
  }
}

}  // namespace oriel
