#include "supervisor/observers/observer.h"

#include "base/log.h"
#include "base/text/quote.h"
#include "runtime/deadline.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"
#include "supervisor/last_wait.h"
#include "supervisor/observers/observed_session.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace oriel {
namespace {

// Each has an inotify instance, and the number of these is limited per user.
constexpr std::size_t kMaxShards = 4;

Error too_many_hooks(const std::string& session_id) {
  return {.kind = ErrorKind::kTooManyHooks,
          .message = "too many hooks of session " + session_id + " are queued",
          .hint = "no action is needed: the transcript has the same turns"};
}

Error not_observed(const std::string& session_id) {
  return {.kind = ErrorKind::kInvalidHook,
          .message = "session_id: " + quote(session_id) + " is a hosted session",
          .hint = "send the agent's own session id"};
}

Error observed_elsewhere(const std::string& session_id) {
  return {.kind = ErrorKind::kObserved,
          .message = "session " + session_id + " is observed by another node",
          .hint = "send its hooks to the node that has its transcript"};
}

// Empty: the path does not show it.
std::string agent_at(std::string_view transcript_path) {
  if (transcript_path.find("/.codex/") != std::string_view::npos) return "codex";
  if (transcript_path.find("/.factory/") != std::string_view::npos) return "droid";
  return {};
}

}  // namespace

Observer::Observer(Shards& shards, Journal& journal, SessionRegistry& sessions,
                   ObserverOptions options)
    : shards_(shards),
      journal_(journal),
      sessions_(sessions),
      options_(std::move(options)),
      roots_(options_.transcript_roots),
      shard_(shards[0].executor()),
      tasks_(shard_) {}

asio::awaitable<void> Observer::start() {
  for (std::size_t i = 0; i < std::min(shards_.size(), kMaxShards); ++i) {
    auto make = [shard = shards_[i].executor()] { return std::make_unique<FileWatch>(shard); };
    auto making = run_on(shards_[i].executor(), std::move(make));
    std::unique_ptr<FileWatch> watch = co_await std::move(making);
    watches_.push_back(std::move(watch));
  }
  for (const ObservedState& state : co_await stored_agents()) {
    for (const std::string& native_id : state.native_ids)
      correlation_.learn(state.session_id, native_id, state.transcript.position.path, state.cwd,
                         state.ended_at ? std::nullopt : state.pid);
    agents_[state.session_id] = {};
    put(std::make_shared<const SessionState>(session_of(state)));
    if (!state.ended_at) open(state);
  }
  if (!agents_.empty()) log()->info("restored {} observed agents", agents_.size());
  evict_oldest();
}

// The agents that this node observes.
asio::awaitable<std::vector<ObservedState>> Observer::stored_agents() {
  const std::vector<Document> documents =
      co_await journal_.read_documents(observed_document_key(""));
  std::vector<ObservedState> agents;
  for (const Document& document : documents) {
    auto state = parse_observed_document(document.value);
    if (!state)
      log()->error("{}: {}", document.key, state.error().message);
    else if (!is_elsewhere(state->session_id))
      agents.push_back(*std::move(state));
  }
  co_return agents;
}

// Whether another node observes this session. In a cluster such sessions are in the registry first.
bool Observer::is_elsewhere(const std::string& session_id) {
  const SessionEntry* const entry = sessions_.find(session_id);
  return entry != nullptr && !sessions_.is_at_home(*entry);
}

// No process owns an observed session: it stays with its transcript.
OwnerGuard Observer::guard_of(const std::string& agent_id, bool is_new) const {
  if (!sessions_.is_in_cluster()) return {};
  std::string owner = owner_at_rest(sessions_.own_node().name);
  if (is_new) return OwnerGuard::of_new(agent_id, std::move(owner));
  return {agent_id, std::move(owner)};
}

SessionEntry& Observer::put(SessionSnapshot state) {
  std::string owner;
  if (sessions_.is_in_cluster()) owner = owner_at_rest(sessions_.own_node().name);
  return sessions_.put(std::move(state), std::move(owner));
}

asio::awaitable<void> Observer::stop() {
  is_stopping_ = true;
  co_await join_last(tasks_, sessions_.is_in_cluster());
  TaskGroup ends(shard_);
  for (const auto& [id, observed] : agents_) {
    if (!observed.runner) continue;
    auto end = observed.runner->stop();
    ends.spawn("end of observed agent",
               finish_on(shards_[observed.shard].executor(), std::move(end)));
  }
  co_await ends.joined();
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    auto end = watches_[i]->stop();
    co_await finish_on(shards_[i].executor(), std::move(end));
  }
}

Result<std::string> Observer::take(IncomingHook incoming) {
  HookEvent& hook = incoming.hook;
  if (is_stopping_) return stopping();
  if (hook.session_id.starts_with("ses_")) return not_observed(hook.session_id);
  if (!incoming.projects.empty()) {
    // It could name the transcript of another project.
    hook.transcript_path.clear();
    if (auto allowed = check_sender(incoming); !allowed) return allowed.error();
  }
  if (!correlation_.find(hook.session_id)) {
    // Everything about an agent that Oriel runs is known already.
    const SessionEntry* const hosted = sessions_.find_hosted(hook.session_id);
    if (hosted != nullptr)
      return Result<std::string>(boost::system::in_place_value, hosted->state->session_id);
  }
  check_path(hook);
  if (is_elsewhere(hook.session_id)) return observed_elsewhere(hook.session_id);
  const std::string agent_id = correlation_.resolve(hook).agent_id;
  if (evicting_.contains(agent_id)) return in_progress(agent_id);
  incoming.bytes = std::max<std::size_t>(incoming.bytes, 1);
  if (claimed_.contains(agent_id)) return defer(agent_id, std::move(incoming));
  return hand_over(agent_id, std::move(incoming));
}

// Fails if the hook belongs to a session outside the sender's projects. That of a new session is
// checked by its working directory, before.
Result<void> Observer::check_sender(const IncomingHook& incoming) {
  const std::string& native_id = incoming.hook.session_id;
  const SessionEntry* entry = nullptr;
  if (!correlation_.find(native_id)) entry = sessions_.find_hosted(native_id);
  const std::string agent_id = correlation_.match(incoming.hook).agent_id;
  if (entry == nullptr) entry = sessions_.find(agent_id);
  const auto opened = agents_.find(agent_id);
  if (entry == nullptr && opened == agents_.end()) return {};
  const std::string& project_id =
      entry != nullptr ? entry->state->project_id : opened->second.project_id;
  const auto& allowed = incoming.projects;
  if (std::find(allowed.begin(), allowed.end(), project_id) == allowed.end()) return foreign_hook();
  return {};
}

// Until the import releases the agent.
Result<std::string> Observer::defer(const std::string& agent_id, IncomingHook incoming) {
  Claimed& claimed = claimed_.at(agent_id);
  if (claimed.bytes + incoming.bytes > options_.agent.max_queued_bytes)
    return too_many_hooks(agent_id);
  claimed.bytes += incoming.bytes;
  claimed.waiting.push_back(std::move(incoming));
  return Result<std::string>(boost::system::in_place_value, agent_id);
}

Result<std::string> Observer::hand_over(const std::string& agent_id, IncomingHook incoming) {
  ObservedRunner& runner = open(agent_id, incoming.hook);
  if (!runner.reserve(incoming.bytes)) return too_many_hooks(agent_id);
  Observed& observed = agents_.at(agent_id);
  if (observed.project_id.empty()) observed.project_id = incoming.project_id;
  asio::post(shards_[observed.shard].executor(),
             [runner = observed.runner, incoming = std::move(incoming)]() mutable {
               runner->take(std::move(incoming));
             });
  return Result<std::string>(boost::system::in_place_value, agent_id);
}

Result<ImportClaim> Observer::claim(const std::string& native_id) {
  if (is_stopping_) return stopping();
  const auto found = correlation_.find(native_id);
  const std::string agent_id = found.value_or(native_id);
  const auto known = agents_.find(agent_id);
  const bool is_known = known != agents_.end();
  if (!is_known && sessions_.find_hosted(native_id) != nullptr)
    return Error{
        .kind = ErrorKind::kHosted, .message = "the agent of a hosted session", .hint = {}};
  const bool is_watched = is_known && known->second.runner;
  if (is_watched || evicting_.contains(agent_id) || is_elsewhere(agent_id))
    return Error{.kind = ErrorKind::kObserved, .message = "the agent is observed", .hint = {}};
  if (!claimed_.try_emplace(agent_id).second)
    return Error{.kind = ErrorKind::kClaimed, .message = "the agent is being imported", .hint = {}};
  return ImportClaim{
      .agent_id = agent_id, .is_known = is_known, .guard = guard_of(agent_id, !is_known)};
}

bool Observer::is_wanted(const std::string& agent_id) const {
  const auto claimed = claimed_.find(agent_id);
  return is_stopping_ || (claimed != claimed_.end() && !claimed->second.waiting.empty());
}

void Observer::release(const std::string& agent_id) {
  auto claimed = claimed_.extract(agent_id);
  if (claimed.empty()) return;
  for (IncomingHook& incoming : claimed.mapped().waiting) {
    if (const auto taken = hand_over(agent_id, std::move(incoming)); !taken)
      log()->warn("session {}: {}", agent_id, describe(taken.error()));
  }
  evict_oldest();
}

void Observer::note_imported(const ObservedState& state) {
  if (is_elsewhere(state.session_id)) return;
  for (const std::string& native_id : state.native_ids)
    correlation_.learn(state.session_id, native_id, state.transcript.position.path, state.cwd,
                       std::nullopt);
  agents_.try_emplace(state.session_id);
  put(std::make_shared<const SessionState>(session_of(state)));
}

// Ignores a path that may not be read.
void Observer::check_path(HookEvent& hook) {
  if (hook.transcript_path.empty()) return;
  auto path = roots_.check(hook.transcript_path);
  if (path) {
    hook.transcript_path = *std::move(path);
    return;
  }
  // Once: each of its hooks has the same path.
  if (!correlation_.find(hook.session_id))
    log()->warn("session {}: {}", hook.session_id, describe(path.error()));
  hook.transcript_path.clear();
}

ObservedRunner& Observer::open(const std::string& agent_id, const HookEvent& hook) {
  const auto known = agents_.find(agent_id);
  if (known != agents_.end() && known->second.runner) return *known->second.runner;
  ObservedState first;
  first.session_id = agent_id;
  first.agent = agent_at(hook.transcript_path);
  return open(first);
}

ObservedRunner& Observer::open(const ObservedState& first) {
  const bool is_new = sessions_.find(first.session_id) == nullptr;
  Observed& observed = agents_[first.session_id];
  observed.shard = least_loaded_shard();
  const ObserverContext context{.journal = journal_,
                                .watch = *watches_[observed.shard],
                                .files = files_,
                                .roots = roots_,
                                .options = options_.agent};
  auto on_stored = [this](SessionSnapshot state) {
    asio::post(shard_, [this, state = std::move(state)] { note(state); });
  };
  observed.runner =
      std::make_shared<ObservedRunner>(shards_[observed.shard].executor(), context, first,
                                       std::move(on_stored), guard_of(first.session_id, is_new));
  return *observed.runner;
}

std::size_t Observer::least_loaded_shard() const {
  std::vector<std::size_t> runners(watches_.size());
  for (const auto& [id, observed] : agents_) {
    if (observed.runner) ++runners[observed.shard];
  }
  const auto fewest = std::min_element(runners.begin(), runners.end());
  return static_cast<std::size_t>(fewest - runners.begin());
}

void Observer::note(const SessionSnapshot& state) {
  const bool is_evicted = !agents_.contains(state->session_id);
  if (is_evicted || is_elsewhere(state->session_id)) return;
  const bool is_new = sessions_.find(state->session_id) == nullptr;
  put(state);
  if (is_new) evict_oldest();
  if (state->status == SessionStatus::kCompleted) correlation_.forget_process(state->session_id);
}

void Observer::evict_oldest() {
  evict_oldest_of(Kind::kWatched, options_.max_observed);
  evict_oldest_of(Kind::kImported, options_.max_imported);
}

// Evicts ended agents first, least recently updated first.
void Observer::evict_oldest_of(Kind kind, std::size_t max) {
  while (!is_stopping_) {
    std::size_t count = 0;
    auto oldest = agents_.end();
    std::tuple<bool, WallTime> least{true, WallTime::max()};
    for (auto each = agents_.begin(); each != agents_.end(); ++each) {
      const SessionEntry* const entry = sessions_.find(each->first);
      const bool is_imported = entry != nullptr && entry->state->is_imported;
      if (is_imported != (kind == Kind::kImported)) continue;
      ++count;
      if (entry == nullptr || claimed_.contains(each->first)) continue;  // new
      const std::tuple<bool, WallTime> rank{entry->state->is_live, entry->state->updated_at};
      if (rank >= least) continue;
      least = rank;
      oldest = each;
    }
    if (count <= max || oldest == agents_.end()) return;
    const std::string agent_id = oldest->first;
    Observed observed = std::move(oldest->second);
    agents_.erase(oldest);
    sessions_.remove(agent_id);
    correlation_.forget(agent_id);
    evicting_.insert(agent_id);
    tasks_.spawn("evicted agent", evict(agent_id, std::move(observed)));
  }
}

// After a failure, too, the agent can be observed again.
asio::awaitable<void> Observer::evict(std::string agent_id, Observed observed) {
  auto forgetting = forget(agent_id, std::move(observed));
  const Outcome<void> outcome = co_await outcome_of(std::move(forgetting));
  evicting_.erase(agent_id);
  if (outcome.failure) std::rethrow_exception(outcome.failure);
}

// Its events stay.
asio::awaitable<void> Observer::forget(std::string agent_id, Observed observed) {
  if (observed.runner) {
    auto end = observed.runner->stop();
    co_await finish_on(shards_[observed.shard].executor(), std::move(end));
  }
  Proposal removal;
  guard_of(agent_id, false).add_to(removal);
  co_await remove_turns(journal_, agent_id, removal.guards);
  removal.documents.push_back({.key = observed_document_key(agent_id), .value = {}});
  if (sessions_.is_in_cluster())
    removal.documents.push_back({.key = owner_document_key(agent_id), .value = {}});
  auto removing = journal_.append(std::move(removal));
  co_await std::move(removing);
}

}  // namespace oriel
