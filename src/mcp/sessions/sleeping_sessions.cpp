#include "mcp/sessions/sleeping_sessions.h"

#include <algorithm>

namespace oriel::mcp {

SleepingSessions::SleepingSessions(ServerState& server, StateSaver& saver)
    : server_(server), saver_(saver), is_complete_(server.options.archive == nullptr) {}

void SleepingSessions::note_session(std::string_view id, std::string_view saved) {
  if (awake_.contains(id) || sleeping_.contains(id)) return;
  const auto state = parse_session_state(saved);
  const WallTime now = wall_now();
  const WallTime expires = state ? expiry_of(*state, now) : now;
  if (expires <= now) {
    saver_.remove(session_key(id));
    return;
  }
  const std::string& credential = state->principal.credential_id;
  server_.sessions.fetch_add(1);
  server_.sessions_per_principal.take_anyway(credential);
  sleeping_.emplace(id, Sleeping{.credential = credential, .expires = expires, .calls = {}});
}

void SleepingSessions::note_call(std::string_view session, std::string_view call) {
  if (awake_.contains(session)) return;
  const auto found = sleeping_.find(session);
  if (found == sleeping_.end()) {
    saver_.remove(call_key(session, call));
  } else {
    found->second.calls.emplace(call);
  }
}

void SleepingSessions::complete() {
  is_complete_ = true;
  awake_.clear();
}

bool SleepingSessions::may_have(std::string_view id) const {
  return is_complete_ ? sleeping_.contains(id) : !awake_.contains(id);
}

asio::awaitable<std::optional<StoredSession>> SleepingSessions::read(std::string id) const {
  Archive& archive = *server_.options.archive;
  ArchiveQuery of_session{.prefix = session_key(id), .max_entries = 1};
  auto reading = archive.load(std::move(of_session));
  const std::vector<ArchiveEntry> found = co_await std::move(reading);
  if (found.empty() || found.front().key != session_key(id)) co_return std::nullopt;
  auto state = parse_session_state(found.front().value);
  const WallTime now = wall_now();
  if (!state || state->id != id || expiry_of(*state, now) <= now) co_return std::nullopt;
  StoredSession session{.state = *std::move(state), .calls = {}};
  ArchiveQuery of_calls{.prefix = call_key(id, "")};
  auto reading_calls = archive.load(std::move(of_calls));
  std::vector<ArchiveEntry> calls = co_await std::move(reading_calls);
  for (ArchiveEntry& entry : calls)
    session.calls.emplace(entry.key.substr(call_key(id, "").size()), std::move(entry.value));
  co_return session;
}

void SleepingSessions::wake(const StoredSession& session) {
  const std::string& id = session.state.id;
  if (!is_complete_) awake_.insert(id);
  if (sleeping_.erase(id) > 0) return;
  server_.sessions.fetch_add(1);
  server_.sessions_per_principal.take_anyway(session.state.principal.credential_id);
}

void SleepingSessions::release(const std::string& id) {
  awake_.erase(id);  // it may come back
  const auto found = sleeping_.find(id);
  if (found == sleeping_.end()) return;
  uncount(found->second.credential);
  sleeping_.erase(found);
}

void SleepingSessions::forget(const std::string& id) {
  if (!is_complete_) awake_.insert(id);
}

void SleepingSessions::expire(WallTime now) {
  std::erase_if(sleeping_, [&](const auto& entry) {
    const auto& [id, session] = entry;
    if (session.expires > now) return false;
    saver_.remove(session_key(id));
    for (const std::string& call : session.calls)
      saver_.remove(call_key(id, call));
    uncount(session.credential);
    return true;
  });
}

void SleepingSessions::uncount(const std::string& credential) {
  server_.sessions.fetch_sub(1);
  server_.sessions_per_principal.give_back(credential);
}

WallTime SleepingSessions::expiry_of(const SessionState& state, WallTime now) const {
  return std::min(state.used.value_or(now), now) + server_.options.session_ttl;
}

}  // namespace oriel::mcp
