#include "supervisor/supervisor.h"

#include "agent/sandbox/sandbox.h"
#include "supervisor/errors.h"
#include "supervisor/turn_documents.h"

#include <algorithm>
#include <utility>

namespace oriel {

Supervisor::Supervisor(Shards& shards, Journal& journal, SupervisorOptions options)
    : journal_(journal),
      projects_(std::move(options.projects)),
      owner_shard_(shards[0].executor()),
      reaper_(owner_shard_, blocking_),
      restorer_(journal, blocking_),
      agents_(std::move(options.agents), std::move(options.default_agent)),
      uploads_(std::move(options.uploads)),
      sessions_(options.limits),
      runners_(shards, journal, sessions_, agents_, uploads_, options.runner, options.sandbox),
      creator_(sessions_, runners_, agents_, projects_, options.sandbox.workspaces, blocking_),
      workspaces_(owner_shard_, blocking_, sessions_, projects_,
                  std::move(options.sandbox.workspaces), options.retain_workspaces),
      observer_(shards, journal, sessions_, std::move(options.observer)),
      importer_(owner_shard_, journal, observer_, std::move(options.import)) {}

asio::awaitable<void> Supervisor::start() {
  co_await reaper_.start();
  for (RestoredSession& restored : co_await restorer_.restore_all()) {
    SessionEntry& entry = sessions_.add(std::move(restored.session));
    if (!restored.unstored) continue;
    auto interrupting = runners_.interrupt(entry, *std::move(restored.unstored));
    co_await std::move(interrupting);
  }
  auto is_session = [ids = sessions_.ids()](const std::string& id) {
    return std::binary_search(ids.begin(), ids.end(), id);
  };
  co_await uploads_.start(std::move(is_session));
  co_await observer_.start();
  co_await importer_.start();
  co_await evict_sessions();
  workspaces_.start();
}

asio::awaitable<void> Supervisor::stop() {
  runners_.refuse_commands();
  TaskGroup stops(owner_shard_);
  stops.spawn("stop sessions", runners_.stop_all());
  co_await workspaces_.stop();
  co_await reaper_.stop();
  co_await importer_.stop();
  co_await observer_.stop();
  co_await stops.joined();
}

asio::awaitable<Result<std::string>> Supervisor::resolve_workspace(std::string directory) {
  auto resolve = [directory = std::move(directory)] { return check_workspace(directory); };
  co_return co_await blocking_.run(std::move(resolve));
}

asio::awaitable<Result<CreatedSession>> Supervisor::create(NewSession wanted) {
  auto work = create_here(std::move(wanted));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<CreatedSession>> Supervisor::create_here(NewSession wanted) {
  auto created = co_await creator_.create(std::move(wanted));
  co_await evict_sessions();
  co_return created;
}

asio::awaitable<Result<MessageTaken>> Supervisor::message(std::string session_id,
                                                          UserMessage said) {
  auto message = [said = std::move(said)](SessionRunner& runner) mutable {
    return runner.message(std::move(said));
  };
  auto work = runners_.start_task(std::move(session_id), std::move(message));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<MessageTaken>> Supervisor::say(NewTurn turn) {
  auto work = say_here(std::move(turn));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<MessageTaken>> Supervisor::say_here(NewTurn turn) {
  std::string session_id = turn.session_id;
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (entry->state->is_observed) co_return observed(session_id);
  const auto spec = runners_.spec_for(*entry->state);
  if (!spec) co_return spec.error();
  const std::string directory = uploads_inside(spec->sandbox, uploads_.directory_of(session_id));
  auto say = [message = to_message(std::move(turn), directory)](SessionRunner& runner) mutable {
    return runner.say(std::move(message));
  };
  auto work = runners_.start_task(std::move(session_id), std::move(say));
  co_return co_await std::move(work);
}

asio::awaitable<Result<std::string>> Supervisor::cancel(std::string session_id, std::string by) {
  auto cancel = [by = std::move(by)](SessionRunner& runner) mutable {
    return runner.cancel(std::move(by));
  };
  auto work = runners_.run(std::move(session_id), std::move(cancel));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::answer(std::string session_id,
                                                        std::string permission_id,
                                                        Decision decision) {
  auto answer = [permission_id = std::move(permission_id),
                 decision = std::move(decision)](SessionRunner& runner) mutable {
    return runner.answer(std::move(permission_id), std::move(decision));
  };
  auto work = runners_.run(std::move(session_id), std::move(answer));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end(std::string session_id, std::string by) {
  auto work = runners_.end(std::move(session_id), std::move(by));
  co_return co_await finish_on(owner_shard_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::find(std::string session_id) {
  auto look = [this, session_id = std::move(session_id)]() -> Result<SessionSnapshot> {
    const SessionEntry* const found = sessions_.find(session_id);
    if (found == nullptr) return unknown_session(session_id);
    return found->state;
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

asio::awaitable<Result<std::string>> Supervisor::observe(IncomingHook incoming) {
  if (!incoming.projects.empty()) {
    auto find = [this, cwd = incoming.hook.cwd] { return project_at(cwd, projects_); };
    const Project project = co_await blocking_.run(std::move(find));
    const auto& allowed = incoming.projects;
    if (std::find(allowed.begin(), allowed.end(), project.project_id) == allowed.end())
      co_return foreign_hook();
    incoming.project_id = project.project_id;
  }
  auto take = [this, incoming = std::move(incoming)]() mutable {
    return observer_.take(std::move(incoming));
  };
  co_return co_await run_on(owner_shard_, std::move(take));
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
    co_await remove_turns(journal_, session_id);
    std::vector<Document> documents = {{.key = document_key(session_id), .value = {}}};
    co_await journal_.append({}, std::move(documents));
  }
}

}  // namespace oriel
