#include "mcp/shard_state.h"

#include "mcp/owner_shard.h"
#include "mcp/stateless/stateless_call.h"
#include "runtime/keep_running.h"

#include <algorithm>
#include <vector>

namespace oriel::mcp {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kRestorePatience{5};

RpcError too_many_sessions() {
  return {.code = kInternalError, .message = "too many sessions; retry later", .data = {}};
}

RpcError too_many_sessions_of_principal(std::size_t limit) {
  return {.code = kInternalError,
          .message = "limit of " + std::to_string(limit) +
                     " MCP sessions per credential reached; end a session with DELETE, retry "
                     "later, or raise --mcp-max-sessions-per-principal",
          .data = {}};
}

}  // namespace

ShardState::ShardState(Shard& shard, ServerState& server)
    : shard_(shard),
      server_(server),
      store_(server.budget),
      saver_(shard.executor(), server.options.archive),
      sleeping_(server, saver_),
      restoring_(shard.executor()),
      client_tasks_(shard, server, saver_),
      ticking_(shard.executor()),
      running_(shard.executor()) {}

OpenedSession ShardState::open_session(Principal principal, ClientHello hello) {
  if (is_stopping_) return too_many_sessions();
  KeyedLimit& own = server_.sessions_per_principal;
  if (!own.take(principal.credential_id)) {
    server_.refusals.sessions_per_principal.fetch_add(1);
    return too_many_sessions_of_principal(own.limit());
  }
  if (server_.sessions.fetch_add(1) >= server_.options.max_sessions) {
    server_.sessions.fetch_sub(1);
    own.give_back(principal.credential_id);
    server_.refusals.sessions.fetch_add(1);
    return too_many_sessions();
  }
  SessionState state{.id = id_on_shard(shard_.index(), server_.shards.size()),
                     .principal = std::move(principal),
                     .hello = std::move(hello),
                     .log_level = {},
                     .subscriptions = {},
                     .streams = {},
                     .companion = {},
                     .used = {}};
  auto session = std::make_shared<Session>(std::move(state), shard_, store_, server_, saver_);
  sessions_.emplace(session->id(), session);
  session->changed();
  return session;
}

void ShardState::run(std::shared_ptr<StatelessCall> call) {
  running_.spawn("mcp call", run_to_end(std::move(call)));
}

asio::awaitable<void> ShardState::run_to_end(std::shared_ptr<StatelessCall> call) {
  stateless_calls_.insert(call);
  auto running = call->run();
  co_await std::move(running);
  stateless_calls_.erase(call);
}

asio::awaitable<void> ShardState::stop_stateless_calls(milliseconds patience) {
  const auto calls = stateless_calls_;  // copy: each call removes itself
  for (const auto& call : calls)
    call->stop();
  asio::steady_timer timer(shard_.executor());
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!stateless_calls_.empty() && std::chrono::steady_clock::now() < deadline) {
    timer.expires_after(milliseconds(1));
    co_await timer.async_wait(kNoThrow);
  }
}

void ShardState::restore(std::vector<ArchiveEntry> entries) {
  for (ArchiveEntry& entry : entries) {
    const std::string_view key = entry.key;
    if (key.starts_with(kSessionKeys)) {
      const std::string_view id = key.substr(kSessionKeys.size());
      if (!sessions_.contains(id)) sleeping_.note_session(id, entry.value);
    } else if (key.starts_with(kCallKeys)) {
      const std::string_view ids = key.substr(kCallKeys.size());
      const std::size_t slash = std::min(ids.find('/'), ids.size());
      const std::string_view id = ids.substr(0, slash);
      if (!sessions_.contains(id))
        sleeping_.note_call(id, ids.substr(std::min(slash + 1, ids.size())));
    } else if (key.starts_with(kTaskKeys)) {
      client_tasks_.restore(std::move(entry), running_);
    }
  }
}

void ShardState::restored() {
  sleeping_.complete();
  restoring_.notify();
}

asio::awaitable<void> ShardState::is_restored() {
  if (sleeping_.is_complete()) co_return;
  const auto deadline = Session::Clock::now() + kRestorePatience;
  asio::steady_timer limit(shard_.executor(), deadline);
  limit.async_wait([this](error_code ec) {
    if (!ec) restoring_.notify();
  });
  while (!sleeping_.is_complete() && Session::Clock::now() < deadline)
    co_await restoring_.wait();
}

std::shared_ptr<Session> ShardState::find_session(std::string_view id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second;
}

std::shared_ptr<Session> ShardState::find_session(std::string_view id,
                                                  const Principal& principal) const {
  auto session = find_session(id);
  return session && session->principal() == principal ? session : nullptr;
}

asio::awaitable<std::shared_ptr<Session>> ShardState::reopen_session(std::string id,
                                                                     Principal principal) {
  if (sessions_.contains(id)) co_return nullptr;  // of another principal
  auto reading = read_session(id, principal);
  std::optional<StoredSession> stored = co_await std::move(reading);
  // Another request may have opened or ended it meanwhile.
  if (sessions_.contains(id)) co_return find_session(id, principal);
  if (!stored || !sleeping_.may_have(id) || !(stored->state.principal == principal))
    co_return nullptr;
  co_return wake(*std::move(stored));
}

asio::awaitable<std::optional<StoredSession>> ShardState::read_session(std::string id,
                                                                       Principal principal) {
  if (sleeping_.may_have(id)) {
    auto reading = sleeping_.read(id);
    auto stored = co_await std::move(reading);
    if (stored) co_return stored;
  }
  auto taking = take_over(id, std::move(principal));
  if (!co_await std::move(taking)) co_return std::nullopt;
  auto reading = sleeping_.read(id);
  co_return co_await std::move(reading);
}

asio::awaitable<bool> ShardState::take_over(std::string id, Principal principal) {
  if (server_.options.archive == nullptr) co_return false;
  std::string saved;
  const auto is_theirs = [&](std::string_view session) {
    const auto state = parse_session_state(session);
    saved = session;
    return state && state->principal == principal;
  };
  auto taking = server_.options.archive->take_over(id, is_theirs);
  if (!co_await std::move(taking)) co_return false;
  sleeping_.note_session(id, saved);
  co_return true;
}

std::shared_ptr<Session> ShardState::wake(StoredSession stored) {
  sleeping_.wake(stored);
  const std::vector<std::string> subscriptions = stored.state.subscriptions;
  auto session =
      std::make_shared<Session>(std::move(stored.state), shard_, store_, server_, saver_);
  session->remember_ended(std::move(stored.calls));
  sessions_.emplace(session->id(), session);
  session->changed();
  // What it subscribed to may have changed meanwhile.
  for (const std::string& uri : subscriptions) {
    const Change change{.what = Change::What::kResource, .uri = uri, .task = {}};
    session->notify(
        session->hold(rpc_notification(notification_of(change.what), params_of(change))));
  }
  return session;
}

void ShardState::end_session(Session& session) {
  session.forget();
  sleeping_.forget(session.id());
  close(session);
}

void ShardState::release(const std::string& key) {
  if (key.starts_with(kTaskKeys)) return client_tasks_.release(key.substr(kTaskKeys.size()));
  const std::string id = key.substr(kSessionKeys.size());
  const auto found = sessions_.find(id);
  if (found != sessions_.end()) close(*found->second);
  sleeping_.release(id);
}

// Ends it in this process; what was saved of it stays.
void ShardState::close(Session& session) {
  const std::shared_ptr<Session> last = session.shared_from_this();
  if (sessions_.erase(session.id()) == 0) return;
  server_.sessions.fetch_sub(1);
  server_.sessions_per_principal.give_back(session.principal().credential_id);
  session.end();
}

void ShardState::announce(const Change& change) {
  listeners_.announce(change);
  const bool is_resource = change.what == Change::What::kResource;
  if (change.what == Change::What::kTask) return;  // tasks exist only in 2026-07-28
  const std::string message = rpc_notification(notification_of(change.what), params_of(change));
  SharedMessage shared;
  for (const auto& [id, session] : sessions_) {
    if (is_resource && !session->is_subscribed(change.uri)) continue;
    if (!change.is_visible_to(session->principal())) continue;
    if (!shared) shared = session->hold(message);
    session->notify(shared);
  }
}

void ShardState::keep(std::string key, std::string value) {
  saver_.mark(std::move(key), [value = std::move(value)] { return value; });
}

void ShardState::start() {
  saver_.start();
  ticking_.spawn("mcp tick", keep_running("mcp tick", [this] { return tick(); }));
}

asio::awaitable<void> ShardState::tick() {
  const auto interval =
      std::clamp(server_.options.keep_alive / 4, milliseconds(50), milliseconds(1000));
  asio::steady_timer timer(shard_.executor());
  for (;;) {
    timer.expires_after(interval);
    co_await timer.async_wait(asio::use_awaitable);
    connections_.tick(server_.options.keep_alive, server_.options.stall_timeout);
    expire();
    end_invalid();
    if (server_.budget.is_over()) store_.trim();
  }
}

void ShardState::expire() {
  const auto now = Session::Clock::now();
  std::vector<std::shared_ptr<Session>> over;
  for (const auto& [id, session] : sessions_) {
    session->tick(now);
    if (session->is_expired(now)) over.push_back(session);
  }
  for (const auto& session : over)
    end_session(*session);
  client_tasks_.expire(now);
  sleeping_.expire(wall_now());
}

// Of a token that was revoked or has expired, nothing stays open.
void ShardState::end_invalid() {
  const auto& is_valid = server_.options.is_valid;
  std::vector<std::shared_ptr<Session>> invalid;
  for (const auto& [id, session] : sessions_) {
    if (!is_valid(session->principal())) invalid.push_back(session);
  }
  for (const auto& session : invalid)
    end_session(*session);
  client_tasks_.end_invalid();
  connections_.drop_invalid(is_valid);
}

asio::awaitable<void> ShardState::stop(milliseconds grace) {
  is_stopping_ = true;
  ticking_.cancel();
  listeners_.finish_all();
  auto saving = saver_.stop(grace / 2);
  co_await std::move(saving);
  auto stopping = stop_stateless_calls(grace / 4);
  co_await std::move(stopping);
  client_tasks_.stop();
  while (!sessions_.empty()) {
    const std::shared_ptr<Session> session = sessions_.begin()->second;
    close(*session);
  }
  connections_.finish_all();
  asio::steady_timer timer(shard_.executor());
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (connections_.size() > 0 && std::chrono::steady_clock::now() < deadline) {
    timer.expires_after(milliseconds(5));
    co_await timer.async_wait(kNoThrow);
  }
  connections_.drop_all();
  while (connections_.size() > 0) {
    timer.expires_after(milliseconds(1));
    co_await timer.async_wait(kNoThrow);
  }
  co_await running_.joined();
  co_await ticking_.joined();
}

}  // namespace oriel::mcp
