#include "mcp/shard_state.h"

#include "mcp/owner_shard.h"
#include "runtime/keep_running.h"

#include <algorithm>
#include <vector>

namespace oriel::mcp {
namespace {

using std::chrono::milliseconds;

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
      client_tasks_(shard, server),
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
  auto session =
      std::make_shared<Session>(id_on_shard(shard_.index(), server_.shards.size()),
                                std::move(principal), std::move(hello), shard_, store_, server_);
  sessions_.emplace(session->id(), session);
  return session;
}

std::shared_ptr<Session> ShardState::find_session(std::string_view id, const Principal& principal) {
  const auto found = sessions_.find(id);
  const bool is_theirs = found != sessions_.end() && found->second->principal() == principal;
  return is_theirs ? found->second : nullptr;
}

void ShardState::end_session(Session& session) {
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

void ShardState::start() {
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
    session->streams().expire(now);
    if (session->is_expired(now)) over.push_back(session);
  }
  for (const auto& session : over)
    end_session(*session);
  client_tasks_.expire(now);
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
  while (!sessions_.empty()) {
    const std::shared_ptr<Session> session = sessions_.begin()->second;
    end_session(*session);
  }
  client_tasks_.stop();
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
