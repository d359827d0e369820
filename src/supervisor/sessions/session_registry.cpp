#include "supervisor/sessions/session_registry.h"

#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <tuple>

namespace oriel {
namespace {

bool matches(const SessionFilter& filter, const SessionState& state) {
  return (filter.project_id.empty() || filter.project_id == state.project_id) &&
         (filter.agent.empty() || filter.agent == state.agent) &&
         (filter.workspace.empty() || filter.workspace == state.workspace) &&
         (!filter.status || *filter.status == state.status) &&
         (!filter.is_archived || *filter.is_archived == state.is_archived) &&
         (filter.label.empty() ||
          std::find(state.labels.begin(), state.labels.end(), filter.label) != state.labels.end());
}

// The state with the name of its owner's node.
SessionSnapshot with_node(SessionSnapshot state, const std::string& owner) {
  std::string node = node_of(owner);
  if (state->node == node) return state;
  SessionState named = *state;
  named.node = std::move(node);
  return std::make_shared<const SessionState>(std::move(named));
}

bool needs_agent(const SessionState& state) {
  return state.is_live || state.status == SessionStatus::kRunning || !state.queue.empty();
}

}  // namespace

RequestKey request_key_of(const SessionState& state) {
  return {.owner = state.owner, .project_id = state.project_id, .request_id = state.request_id};
}

bool SessionEntry::is_active() const {
  if (state->is_observed) return false;
  return is_being_created || is_claimed || needs_agent(*state) ||
         (unstored && needs_agent(*unstored));
}

void SessionEntry::close() {
  unstored.reset();
  runner.reset();
  shard.reset();
}

Result<RunnerSource> find_runner_source(const SessionEntry& entry, bool is_stopping) {
  if (is_stopping) return stopping();
  if (entry.runner) return RunnerSource::kExisting;
  if (entry.is_being_created) return in_progress(entry.state->session_id);
  if (entry.state->status == SessionStatus::kCompleted) {
    return Error{.kind = ErrorKind::kSessionEnded,
                 .message = "session " + entry.state->session_id + " has ended",
                 .hint = "start a new one"};
  }
  return RunnerSource::kNew;
}

bool becomes_active(const SessionEntry& entry, bool is_stopping) {
  return !entry.is_active() && entry.state->status != SessionStatus::kCompleted && !is_stopping;
}

EntryFlag::EntryFlag(SessionRegistry& sessions, std::string session_id, bool SessionEntry::*flag)
    : sessions_(sessions), session_id_(std::move(session_id)), flag_(flag) {
  sessions_.find(session_id_)->*flag_ = true;
}

EntryFlag::~EntryFlag() {
  if (SessionEntry* const entry = sessions_.find(session_id_)) entry->*flag_ = false;
}

SessionEntry& SessionRegistry::add(SessionState state) {
  return add(std::make_shared<const SessionState>(std::move(state)));
}

SessionEntry& SessionRegistry::add(SessionSnapshot state) {
  return put(std::move(state), own_.life);
}

SessionEntry& SessionRegistry::put(SessionSnapshot state, std::string owner) {
  if (!state->request_id.empty()) requests_[request_key_of(*state)] = state->session_id;
  // The journal has them in order.
  SessionEntry& entry = entries_.try_emplace(entries_.end(), state->session_id)->second;
  entry.owner = std::move(owner);
  entry.state = with_node(std::move(state), entry.owner);
  return entry;
}

void SessionRegistry::organize(const std::string& session_id, Organization organization) {
  if (SessionEntry* const entry = find(session_id)) entry->organization = std::move(organization);
}

void SessionRegistry::set_owner(const std::string& session_id, std::string owner) {
  SessionEntry& entry = entries_.at(session_id);
  entry.owner = std::move(owner);
  entry.state = with_node(std::move(entry.state), entry.owner);
}

bool SessionRegistry::is_at_home(const SessionEntry& entry) const {
  return !is_in_cluster() || node_of(entry.owner) == own_.name;
}

void SessionRegistry::remove(const std::string& session_id) {
  const auto found = entries_.find(session_id);
  if (found == entries_.end()) return;
  const auto request = requests_.find(request_key_of(*found->second.state));
  // Two nodes may create a session for the same request; one of them is removed.
  if (request != requests_.end() && request->second == session_id) requests_.erase(request);
  entries_.erase(found);
}

SessionEntry* SessionRegistry::find(const std::string& session_id) {
  const auto found = entries_.find(session_id);
  return found == entries_.end() ? nullptr : &found->second;
}

SessionEntry* SessionRegistry::created_by(const RequestKey& request) {
  const auto found = requests_.find(request);
  return found == requests_.end() ? nullptr : find(found->second);
}

const SessionEntry* SessionRegistry::find_hosted(const std::string& agent_session_id) const {
  for (const auto& [id, entry] : entries_) {
    if (!entry.state->is_observed && entry.state->agent_session_id == agent_session_id)
      return &entry;
  }
  return nullptr;
}

const SessionEntry* SessionRegistry::find_observed(const std::string& agent_session_id) const {
  const auto first = entries_.find(agent_session_id);
  if (first != entries_.end() && first->second.state->is_observed) return &first->second;
  for (const auto& [id, entry] : entries_) {
    if (entry.state->is_observed && entry.state->agent_session_id == agent_session_id)
      return &entry;
  }
  return nullptr;
}

void SessionRegistry::update(const SessionSnapshot& state) {
  SessionEntry* const entry = find(state->session_id);
  if (entry == nullptr) return;
  entry->state = with_node(state, entry->owner);
  if (entry->unstored == state) entry->unstored.reset();
}

std::vector<SessionSnapshot> SessionRegistry::list(const SessionFilter& filter) const {
  std::vector<SessionSnapshot> found;
  for (const auto& [id, entry] : entries_) {
    SessionSnapshot shown = entry.shown();
    if (matches(filter, *shown)) found.push_back(std::move(shown));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a->created_at, a->session_id) > std::tie(b->created_at, b->session_id);
  });
  return found;
}

std::vector<std::string> SessionRegistry::ids() const {
  std::vector<std::string> ids;
  ids.reserve(entries_.size());
  for (const auto& [id, entry] : entries_)
    ids.push_back(id);
  return ids;
}

std::vector<SessionEntry*> SessionRegistry::all() {
  std::vector<SessionEntry*> entries;
  for (auto& [id, entry] : entries_)
    entries.push_back(&entry);
  return entries;
}

Result<void> SessionRegistry::check_limits(const std::string& project_id) const {
  std::size_t all = 0;
  std::size_t in_project = 0;
  for (const auto& [id, entry] : entries_) {
    if (!entry.is_active() || !is_own(entry)) continue;
    ++all;
    if (!project_id.empty() && entry.state->project_id == project_id) ++in_project;
  }
  if (all >= limits_.max_sessions) {
    return Error{.kind = ErrorKind::kTooManySessions,
                 .message = fmt::format("limit of {} running agents reached", limits_.max_sessions),
                 .hint = "end a session, wait until one is idle, or raise --max-sessions"};
  }
  if (in_project >= limits_.max_sessions_per_project) {
    return Error{.kind = ErrorKind::kTooManySessions,
                 .message = fmt::format("limit of {} running agents in project {} reached",
                                        limits_.max_sessions_per_project, project_id),
                 .hint =
                     "end a session of this project, wait until one is idle, or raise "
                     "--max-sessions-per-project"};
  }
  return {};
}

std::optional<SessionEntry> SessionRegistry::evict_oldest() {
  if (entries_.size() <= limits_.max_kept_sessions) return std::nullopt;
  std::size_t kept = 0;
  const SessionEntry* oldest = nullptr;
  for (const auto& [id, entry] : entries_) {
    if (entry.is_active() || entry.state->is_observed || !is_at_home(entry)) continue;
    ++kept;
    if (oldest == nullptr || entry.state->updated_at < oldest->state->updated_at) oldest = &entry;
  }
  if (kept <= limits_.max_kept_sessions) return std::nullopt;
  SessionEntry taken = *oldest;
  remove(taken.state->session_id);
  return taken;
}

std::size_t SessionRegistry::active() const {
  return static_cast<std::size_t>(std::count_if(
      entries_.begin(), entries_.end(),
      [this](const auto& each) { return is_own(each.second) && each.second.is_active(); }));
}

std::size_t SessionRegistry::least_loaded_shard(std::size_t shards) const {
  std::vector<std::size_t> runners(shards);
  for (const auto& [id, entry] : entries_) {
    if (entry.shard) ++runners[*entry.shard];
  }
  const auto fewest = std::min_element(runners.begin(), runners.end());
  return static_cast<std::size_t>(fewest - runners.begin());
}

}  // namespace oriel
