#include "supervisor/supervisor.h"

#include "agent/known_agents.h"
#include "agent/marker.h"
#include "agent/process_tree.h"
#include "core/id.h"
#include "core/log.h"
#include "core/quote.h"

#include <boost/asio/post.hpp>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

namespace oriel {
namespace {

constexpr std::chrono::seconds kReapEvery{10};
constexpr std::string_view kRestart =
    "Oriel ended while the agent worked; send a message to go on from where it was";
constexpr std::string_view kShutdown =
    "Oriel was stopped while the agent worked; send a message to go on once it runs again";

Error unknown_session(const std::string& session_id) {
  return {.code = "unknown_session",
          .message = "there is no session " + quote(session_id),
          .hint = "GET /api/sessions lists those that are known"};
}

Error stopping() {
  return {.code = "stopping",
          .message = "Oriel is being stopped",
          .hint = "send it again once it runs"};
}

Error in_progress(const std::string& session_id) {
  return {.code = "in_progress",
          .message = "session " + session_id + " is still being made",
          .hint = "repeat the request, with the same request_id, in a moment"};
}

bool matches(const SessionFilter& filter, const SessionState& state) {
  return (filter.project_id.empty() || filter.project_id == state.project_id) &&
         (filter.agent.empty() || filter.agent == state.agent) &&
         (filter.workspace.empty() || filter.workspace == state.workspace) &&
         (!filter.status || *filter.status == state.status);
}

Moment now() {
  return {.wall = wall_now(), .steady = std::chrono::steady_clock::now()};
}

std::string problem_of(const AgentSpec& spec) {
  const char* path = std::getenv("PATH");
  if (find_program(spec.command.front(), path == nullptr ? "" : path)) return "";
  const std::string remedy = how_to_install(spec.name);
  return quote(spec.command.front()) + " is not installed or not on PATH" +
         (remedy.empty() ? "" : "; " + remedy);
}

}  // namespace

bool Supervisor::takes_room(const Entry& entry) {
  const SessionState& state = *entry.state;
  return entry.is_being_made || entry.is_claimed || state.is_live ||
         state.status == SessionStatus::kRunning || !state.queue.empty();
}

Supervisor::Supervisor(Shards& shards, Journal& journal, SupervisorOptions options)
    : shards_(shards),
      journal_(journal),
      options_(std::move(options)),
      home_(shards[0].executor()),
      tasks_(home_) {}

asio::awaitable<void> Supervisor::start() {
  auto clean = [] { return end_abandoned(); };
  const std::size_t abandoned = co_await blocking_.run(clean);
  if (abandoned > 0) log()->warn("{} processes of a killed Oriel's agents are ended", abandoned);
  tasks_.spawn("orphans", reap_now_and_then());
  const std::vector<Document> documents = co_await journal_.read_documents(document_key(""));
  for (const Document& document : documents) {
    auto state = parse_document(document.value);
    if (state) {
      co_await restore(*std::move(state));
    } else {
      log()->error("{}: {}", document.key, state.error().message);
    }
  }
  if (!sessions_.empty()) log()->info("{} sessions found in the journal", sessions_.size());
  co_await forget_oldest();
}

asio::awaitable<void> Supervisor::restore(SessionState state) {
  // Pieces of text are stored without the document: only the journal knows the newest index.
  if (state.is_in_turn) {
    SessionQuery newest{.session_id = state.session_id,
                        .after_index = std::numeric_limits<std::int64_t>::max()};
    const SessionPage page = co_await journal_.read_session(std::move(newest));
    state.last_index = page.last_index;
  }
  Session session(std::move(state), PermissionMode::kAsk, {});
  SessionStep step = session.interrupt(std::string(kRestart), now());
  const SessionState& restored = session.state();
  if (!step.events.empty()) {
    std::vector<Document> documents = {
        {.key = document_key(restored.session_id), .value = to_document(restored)}};
    const auto placed = co_await journal_.append(std::move(step.events), std::move(documents));
    if (!placed) log()->error("session {}: {}", restored.session_id, placed.error().message);
  }
  if (!restored.request_id.empty()) requests_[restored.request_id] = restored.session_id;
  Entry& entry = sessions_[restored.session_id];
  entry.state = std::make_shared<const SessionState>(restored);
}

// Processes that agents left behind and that end by themselves are Oriel's to bury.
asio::awaitable<void> Supervisor::reap_now_and_then() {
  asio::steady_timer timer(home_);
  while (true) {
    timer.expires_after(kReapEvery);
    co_await timer.async_wait(asio::use_awaitable);
    auto reap = [] { reap_orphans(); };
    co_await blocking_.run(reap);
  }
}

asio::awaitable<void> Supervisor::stop() {
  is_stopping_ = true;
  tasks_.cancel();
  co_await tasks_.joined();
  TaskGroup ends(home_);
  for (auto& [id, entry] : sessions_) {
    if (!entry.runner) continue;
    auto end = entry.runner->stop(std::string(kShutdown));
    ends.spawn("end of session", finish_on(entry.shard->executor(), std::move(end)));
  }
  co_await ends.joined();
  for (auto& [id, entry] : sessions_)
    entry.runner.reset();
}

asio::awaitable<Result<SessionMade>> Supervisor::create(NewSession wanted) {
  auto work = create_here(std::move(wanted));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<MessageTaken>> Supervisor::message(std::string session_id, std::string text,
                                                          std::string request_id) {
  auto work = message_here(std::move(session_id), std::move(text), std::move(request_id));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::cancel(std::string session_id) {
  auto work = cancel_here(std::move(session_id));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::answer(std::string session_id,
                                                        std::string permission_id,
                                                        Decision decision) {
  auto work = answer_here(std::move(session_id), std::move(permission_id), std::move(decision));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end(std::string session_id) {
  auto work = end_here(std::move(session_id));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::find(std::string session_id) {
  auto look = [this, session_id = std::move(session_id)]() -> Result<SessionSnapshot> {
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) return unknown_session(session_id);
    return found->second.state;
  };
  co_return co_await run_on(home_, std::move(look));
}

asio::awaitable<std::vector<SessionSnapshot>> Supervisor::list(SessionFilter filter) {
  auto look = [this, filter = std::move(filter)] {
    std::vector<SessionSnapshot> found;
    for (const auto& [id, entry] : sessions_) {
      if (matches(filter, *entry.state)) found.push_back(entry.state);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::tie(a->created_at, a->session_id) > std::tie(b->created_at, b->session_id);
    });
    return found;
  };
  co_return co_await run_on(home_, std::move(look));
}

asio::awaitable<std::vector<AgentInfo>> Supervisor::agents() {
  auto look = [this] {
    std::vector<AgentInfo> agents;
    for (const AgentSpec& spec : options_.agents)
      agents.push_back({.spec = spec, .problem = problem_of(spec)});
    return agents;
  };
  co_return co_await blocking_.run(look);
}

asio::awaitable<Result<SessionMade>> Supervisor::create_here(NewSession wanted) {
  if (is_stopping_) co_return stopping();
  if (!wanted.request_id.empty()) {
    const auto known = requests_.find(wanted.request_id);
    if (known != requests_.end()) {
      std::string session_id = known->second;
      co_return co_await repeat(std::move(session_id), std::move(wanted));
    }
  }
  const ProjectSpec project = project_of(wanted);
  SessionState state;
  state.session_id = "ses_" + random_id();
  state.agent = project.agent;
  state.project_id = wanted.project_id;
  state.title = wanted.title;
  state.workspace = project.workspace;
  state.request_id = wanted.request_id;
  if (wanted.permissions) state.permissions = name_of(*wanted.permissions);
  const auto spec = spec_for(state);
  if (!spec) co_return spec.error();
  if (auto room = check_room(state.project_id); !room) co_return room.error();

  // In place before the first wait: a repetition finds it, and its room is taken.
  const std::string session_id = state.session_id;
  if (!wanted.request_id.empty()) requests_[wanted.request_id] = session_id;
  Entry& entry = sessions_[session_id];
  entry.is_being_made = true;
  entry.state = std::make_shared<const SessionState>(state);

  auto workspace = co_await workspace_for(state, project.repository);
  if (workspace && is_stopping_) workspace = stopping();
  if (!workspace) {
    requests_.erase(wanted.request_id);
    sessions_.erase(session_id);
    co_return workspace.error();
  }
  state.workspace = *std::move(workspace);
  entry.state = std::make_shared<const SessionState>(std::move(state));
  make_runner(entry, *spec);
  auto creation = entry.runner->create();
  co_await finish_on(entry.shard->executor(), std::move(creation));
  auto made = co_await begin(session_id, std::move(wanted));
  entry.is_being_made = false;
  co_await forget_oldest();
  co_return made;
}

// Its first message, if it has one.
asio::awaitable<Result<SessionMade>> Supervisor::begin(std::string session_id, NewSession wanted) {
  SessionMade made;
  if (!wanted.message.empty()) {
    auto taken = co_await message_here(session_id, std::move(wanted.message), wanted.request_id);
    if (!taken) co_return taken.error();
    made.turn_id = taken->turn_id;
    made.last_index = taken->last_index;
  }
  made.session = sessions_.at(session_id).state;
  co_return made;
}

// What the request that made the session was told. Its message is sent if the session was made but
// Oriel ended before it took it.
asio::awaitable<Result<SessionMade>> Supervisor::repeat(std::string session_id, NewSession wanted) {
  const Entry& entry = sessions_.at(session_id);
  if (entry.is_being_made) co_return in_progress(session_id);
  SessionMade made{.session = entry.state, .turn_id = {}, .last_index = -1, .is_repeat = true};
  for (const TakenRequest& taken : made.session->requests) {
    if (taken.request_id != wanted.request_id) continue;
    made.turn_id = taken.turn_id;
    made.last_index = taken.last_index;
  }
  const bool was_taken = !made.turn_id.empty() || made.session->turns > 0;
  if (was_taken || made.session->status == SessionStatus::kCompleted) co_return made;
  auto begun = co_await begin(std::move(session_id), std::move(wanted));
  if (begun) begun->is_repeat = true;
  co_return begun;
}

// Where and with whom the session works: what the project says, and over it what is wanted.
ProjectSpec Supervisor::project_of(const NewSession& wanted) const {
  ProjectSpec project;
  for (const ProjectSpec& known : options_.projects) {
    if (known.id == wanted.project_id) project = known;
  }
  if (!wanted.agent.empty()) project.agent = wanted.agent;
  if (project.agent.empty()) project.agent = options_.default_agent;
  if (!wanted.workspace.empty()) project.workspace = wanted.workspace;
  return project;
}

asio::awaitable<Result<std::string>> Supervisor::workspace_for(SessionState state,
                                                               std::string repository) {
  if (!state.workspace.empty()) {
    auto check = [named = state.workspace] { return check_workspace(named); };
    co_return co_await blocking_.run(std::move(check));
  }
  std::filesystem::path fresh = options_.workspaces / state.session_id;
  auto made = co_await make_workspace(fresh, std::move(repository), blocking_);
  if (!made) co_return made.error();
  co_return Result<std::string>(boost::system::in_place_value, fresh.string());
}

asio::awaitable<Result<MessageTaken>> Supervisor::message_here(std::string session_id,
                                                               std::string text,
                                                               std::string request_id) {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end()) co_return unknown_session(session_id);
  Entry& entry = found->second;
  const bool needs_room =
      !takes_room(entry) && entry.state->status != SessionStatus::kCompleted && !is_stopping_;
  if (needs_room) {
    if (auto room = check_room(entry.state->project_id); !room) co_return room.error();
    entry.is_claimed = true;
  }
  auto runner = open(entry);
  if (!runner) {
    if (needs_room) entry.is_claimed = false;
    co_return runner.error();
  }
  auto work = (*runner)->message(std::move(text), std::move(request_id));
  auto taken = co_await finish_on(entry.shard->executor(), std::move(work));
  if (needs_room) sessions_.at(session_id).is_claimed = false;  // claimed: not forgotten meanwhile
  co_return taken;
}

asio::awaitable<Result<std::string>> Supervisor::cancel_here(std::string session_id) {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end()) co_return unknown_session(session_id);
  auto runner = open(found->second);
  if (!runner) co_return runner.error();
  auto work = (*runner)->cancel();
  co_return co_await finish_on(found->second.shard->executor(), std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::answer_here(std::string session_id,
                                                             std::string permission_id,
                                                             Decision decision) {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end()) co_return unknown_session(session_id);
  auto runner = open(found->second);
  if (!runner) co_return runner.error();
  auto work = (*runner)->answer(std::move(permission_id), std::move(decision));
  co_return co_await finish_on(found->second.shard->executor(), std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end_here(std::string session_id) {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end()) co_return unknown_session(session_id);
  Entry& entry = found->second;
  if (entry.state->status == SessionStatus::kCompleted) co_return entry.state;
  auto runner = open(entry);
  if (!runner) co_return runner.error();
  Shard& shard = *entry.shard;
  auto work = (*runner)->end();
  co_await finish_on(shard.executor(), std::move(work));
  auto rest = (*runner)->stop("");
  co_await finish_on(shard.executor(), std::move(rest));
  // An ended session may have been forgotten meanwhile.
  const auto ended = sessions_.find(session_id);
  if (ended == sessions_.end()) co_return (*runner)->snapshot();
  ended->second.runner.reset();
  co_return ended->second.state;
}

// The sessions without work that have rested the longest are no longer listed; their events stay.
asio::awaitable<void> Supervisor::forget_oldest() {
  while (true) {
    std::size_t kept = 0;
    auto oldest = sessions_.end();
    for (auto next = sessions_.begin(); next != sessions_.end(); ++next) {
      if (takes_room(next->second)) continue;
      ++kept;
      const bool is_older = oldest == sessions_.end() ||
                            next->second.state->updated_at < oldest->second.state->updated_at;
      if (is_older) oldest = next;
    }
    if (kept <= options_.max_kept_sessions) co_return;
    const Entry entry = oldest->second;
    requests_.erase(entry.state->request_id);
    sessions_.erase(oldest);
    if (entry.runner) {
      auto end = entry.runner->stop("");
      co_await finish_on(entry.shard->executor(), std::move(end));
    }
    std::vector<Document> documents = {{.key = document_key(entry.state->session_id), .value = {}}};
    co_await journal_.append({}, std::move(documents));
  }
}

Result<AgentSpec> Supervisor::spec_for(const SessionState& state) const {
  std::vector<std::string> names;
  for (const AgentSpec& spec : options_.agents) {
    names.push_back(spec.name);
    if (spec.name != state.agent) continue;
    AgentSpec found = spec;
    if (const auto mode = parse_permission_mode(state.permissions)) found.permissions = *mode;
    return found;
  }
  return Error{.code = "unknown_agent",
               .message = "there is no agent " + quote(state.agent),
               .hint = fmt::format("choose from {}, or add [agents.{}] to oriel.toml",
                                   fmt::join(names, ", "), state.agent)};
}

Result<void> Supervisor::check_room(const std::string& project_id) const {
  std::size_t all = 0;
  std::size_t in_project = 0;
  for (const auto& [id, entry] : sessions_) {
    if (!takes_room(entry)) continue;
    ++all;
    if (!project_id.empty() && entry.state->project_id == project_id) ++in_project;
  }
  if (all >= options_.max_sessions) {
    return Error{.code = "too_many_sessions",
                 .message = fmt::format("{} agents run already", all),
                 .hint = "end a session, wait until one rests, or raise --max-sessions"};
  }
  if (in_project >= options_.max_sessions_per_project) {
    return Error{
        .code = "too_many_sessions",
        .message = fmt::format("project {} has {} running agents already", project_id, in_project),
        .hint = "end a session of it, wait until one rests, or raise --max-sessions-per-project"};
  }
  return {};
}

// The session's runner, made now if nothing of it runs. None is made once stop() has looked at
// them.
Result<std::shared_ptr<SessionRunner>> Supervisor::open(Entry& entry) {
  if (is_stopping_) return stopping();
  if (entry.runner) return entry.runner;
  if (entry.is_being_made) return in_progress(entry.state->session_id);
  if (entry.state->status == SessionStatus::kCompleted) {
    return Error{.code = "session_ended",
                 .message = "session " + entry.state->session_id + " has ended",
                 .hint = "start a new one"};
  }
  auto spec = spec_for(*entry.state);
  if (!spec) return spec.error();
  make_runner(entry, *std::move(spec));
  return entry.runner;
}

void Supervisor::make_runner(Entry& entry, AgentSpec spec) {
  entry.shard = &quietest_shard();
  auto on_change = [this](SessionSnapshot state) {
    asio::post(home_, [this, state = std::move(state)] { changed(state); });
  };
  entry.runner =
      std::make_shared<SessionRunner>(entry.shard->executor(), journal_, std::move(spec),
                                      *entry.state, options_.runner, std::move(on_change));
}

Shard& Supervisor::quietest_shard() {
  std::vector<std::size_t> runners(shards_.size());
  for (const auto& [id, entry] : sessions_) {
    if (entry.runner) ++runners[entry.shard->index()];
  }
  const auto fewest = std::min_element(runners.begin(), runners.end());
  return shards_[static_cast<std::size_t>(fewest - runners.begin())];
}

void Supervisor::changed(const SessionSnapshot& state) {
  const auto found = sessions_.find(state->session_id);
  if (found != sessions_.end()) found->second.state = state;
}

}  // namespace oriel
