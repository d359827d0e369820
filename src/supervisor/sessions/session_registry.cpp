#include "supervisor/sessions/session_registry.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <tuple>

namespace oriel {
namespace {

bool matches(const SessionFilter& filter, const SessionState& state) {
  return (filter.project_id.empty() || filter.project_id == state.project_id) &&
         (filter.agent.empty() || filter.agent == state.agent) &&
         (filter.workspace.empty() || filter.workspace == state.workspace) &&
         (!filter.status || *filter.status == state.status);
}

}  // namespace

bool SessionEntry::takes_room() const {
  if (state->is_observed) return false;
  return is_being_made || is_claimed || state->is_live ||
         state->status == SessionStatus::kRunning || !state->queue.empty();
}

SessionEntry& SessionRegistry::add(SessionState state) {
  return add(std::make_shared<const SessionState>(std::move(state)));
}

SessionEntry& SessionRegistry::add(SessionSnapshot state) {
  if (!state->request_id.empty()) requests_[state->request_id] = state->session_id;
  // The journal has them in order.
  SessionEntry& entry = entries_.try_emplace(entries_.end(), state->session_id)->second;
  entry.state = std::move(state);
  return entry;
}

void SessionRegistry::remove(const std::string& session_id) {
  const auto found = entries_.find(session_id);
  if (found == entries_.end()) return;
  requests_.erase(found->second.state->request_id);
  entries_.erase(found);
}

SessionEntry* SessionRegistry::find(const std::string& session_id) {
  const auto found = entries_.find(session_id);
  return found == entries_.end() ? nullptr : &found->second;
}

SessionEntry* SessionRegistry::made_by(const std::string& request_id) {
  const auto found = requests_.find(request_id);
  return found == requests_.end() ? nullptr : find(found->second);
}

const SessionEntry* SessionRegistry::find_hosted(const std::string& agent_session_id) const {
  for (const auto& [id, entry] : entries_) {
    if (!entry.state->is_observed && entry.state->agent_session_id == agent_session_id)
      return &entry;
  }
  return nullptr;
}

void SessionRegistry::update(const SessionSnapshot& state) {
  if (SessionEntry* const entry = find(state->session_id)) entry->state = state;
}

std::vector<SessionSnapshot> SessionRegistry::list(const SessionFilter& filter) const {
  std::vector<SessionSnapshot> found;
  for (const auto& [id, entry] : entries_) {
    if (matches(filter, *entry.state)) found.push_back(entry.state);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a->created_at, a->session_id) > std::tie(b->created_at, b->session_id);
  });
  return found;
}

std::vector<SessionSnapshot> SessionRegistry::by_id() const {
  std::vector<SessionSnapshot> sessions;
  sessions.reserve(entries_.size());
  for (const auto& [id, entry] : entries_)
    sessions.push_back(entry.state);
  return sessions;
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
    if (!entry.takes_room()) continue;
    ++all;
    if (!project_id.empty() && entry.state->project_id == project_id) ++in_project;
  }
  if (all >= limits_.max_sessions) {
    return Error{.kind = ErrorKind::kTooManySessions,
                 .message = fmt::format("{} agents run already", all),
                 .hint = "end a session, wait until one rests, or raise --max-sessions"};
  }
  if (in_project >= limits_.max_sessions_per_project) {
    return Error{
        .kind = ErrorKind::kTooManySessions,
        .message = fmt::format("project {} has {} running agents already", project_id, in_project),
        .hint = "end a session of it, wait until one rests, or raise --max-sessions-per-project"};
  }
  return {};
}

std::optional<SessionEntry> SessionRegistry::take_oldest() {
  if (entries_.size() <= limits_.max_kept_sessions) return std::nullopt;
  std::size_t kept = 0;
  const SessionEntry* oldest = nullptr;
  for (const auto& [id, entry] : entries_) {
    if (entry.takes_room() || entry.state->is_observed) continue;
    ++kept;
    if (oldest == nullptr || entry.state->updated_at < oldest->state->updated_at) oldest = &entry;
  }
  if (kept <= limits_.max_kept_sessions) return std::nullopt;
  SessionEntry taken = *oldest;
  remove(taken.state->session_id);
  return taken;
}

std::size_t SessionRegistry::quietest_shard(std::size_t shards) const {
  std::vector<std::size_t> runners(shards);
  for (const auto& [id, entry] : entries_) {
    if (entry.shard) ++runners[*entry.shard];
  }
  const auto fewest = std::min_element(runners.begin(), runners.end());
  return static_cast<std::size_t>(fewest - runners.begin());
}

}  // namespace oriel
