#include "http/server.h"

#include "base/log.h"
#include "http/client_network.h"
#include "runtime/ip_address.h"
#include "runtime/keep_running.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <netinet/tcp.h>

#include <algorithm>
#include <stdexcept>

namespace oriel::http {
namespace {

constexpr std::chrono::milliseconds kAcceptRetry{
    100};  // after a failure such as too many open files

constexpr std::size_t kOwnShare = 16;       // of the places is kept for the server's own user
constexpr std::size_t kMostOwnPlaces = 64;  // at most

constexpr std::chrono::milliseconds kSettleCheck{2};

void set_socket_options(asio::ip::tcp::socket& socket, std::chrono::milliseconds unacknowledged) {
  error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto limit = static_cast<unsigned>(unacknowledged.count());
  setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit);
}

// The kernel names the user, so that a log says who it was.
std::string unix_peer(std::optional<std::uint32_t> user) {
  return "unix:" + (user ? std::to_string(*user) : "unknown");
}

Error too_many_connections() {
  return {.kind = ErrorKind::kTooManyConnections,
          .message = "the server has reached its limit of connections",
          .hint = "retry later, or raise --max-connections"};
}

Error too_many_connections_of(const std::string& network, std::size_t limit) {
  return {.kind = ErrorKind::kTooManyConnections,
          .message = "limit of " + std::to_string(limit) + " connections reached for " + network,
          .hint = "close a connection, retry later, or raise --max-connections-per-address"};
}

// Null if none is of this network.
Connection* longest_idle(const IdleConnections& idle, const std::optional<std::string>& network) {
  const auto found = std::find_if(idle.begin(), idle.end(), [&](const Connection* connection) {
    return !network || connection->network() == *network;
  });
  return found == idle.end() ? nullptr : *found;
}

void refuse(asio::generic::stream_protocol::socket socket, const Error& error) {
  Response response = error_response(error);
  response.headers.emplace_back("Retry-After", "5");
  const std::string bytes = serialize_head(response, response.body->size(), false) + *response.body;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(bytes), ignored);
  socket.shutdown(asio::socket_base::shutdown_send, ignored);
}

}  // namespace

Server::Server(Shards& shards, const Router& router, const AccessControl& access,
               ServerOptions options, Listeners listeners)
    : options_(std::move(options)),
      context_{.router = router, .access = access, .limits = options_.limits},
      tls_(options_.tls.cert.empty() ? nullptr : std::make_unique<TlsContext>(options_.tls)),
      per_address_(std::make_shared<KeyedLimit>(options_.max_connections_per_address)),
      acceptor_(shards[0].executor()),
      unix_acceptor_(shards[0].executor()),
      tasks_(shards[0].executor()) {
  for (auto& shard : shards)
    shard_connections_.push_back(std::make_unique<ShardConnections>(*shard));
  Listeners all = listen(std::move(listeners), options_.listen, options_.socket);
  acceptor_.assign(options_.listen.protocol(), all.tcp.release());
  endpoint_ = acceptor_.local_endpoint();
  if (all.unix_socket) unix_acceptor_.assign({}, all.unix_socket.release());
  socket_file_ = std::move(all.socket_file);
}

Server::~Server() = default;

void Server::start() {
  if (socket_file_) socket_file_->own();
  tasks_.spawn("accept", keep_running("accept", [this] { return accept(acceptor_); }));
  tasks_.spawn("accept on the socket",
               keep_running("accept on the socket", [this] { return accept(unix_acceptor_); }));
}

bool Server::reload_tls(TlsReload when) {
  return tls_ && tls_->reload(when);
}

template <class Acceptor>
asio::awaitable<void> Server::accept(Acceptor& acceptor) {
  while (acceptor.is_open()) {
    ShardConnections& owner = emptiest();
    auto [ec, socket] = co_await acceptor.async_accept(owner.shard.executor(), kNoThrow);
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      report_failed_accept(ec);
      asio::steady_timer pause(acceptor.get_executor(), kAcceptRetry);
      co_await pause.async_wait(kNoThrow);
      continue;
    }
    accepted_.fetch_add(1, std::memory_order_relaxed);
    typename Acceptor::protocol_type::socket client = std::move(socket);
    Peer peer = peer_of(client);
    auto making_room = make_room(peer);
    const std::optional<Error> refusal = co_await std::move(making_room);
    if (refusal) {
      refuse(std::move(client), *refusal);
      continue;
    }
    admit(std::move(client), std::move(peer), owner);
  }
}

// It is tried again many times a second.
void Server::report_failed_accept(const error_code& failure) {
  const auto left_out = accept_failures_.admit(failure.message(), Connection::Clock::now());
  if (!left_out) return;
  log()->warn("cannot accept a connection: {}{}", failure.message(), FailureLog::note(*left_out));
}

// Counts one connection of this peer, and closes an idle one for it where a limit is reached.
// Error: none is idle.
asio::awaitable<std::optional<Error>> Server::make_room(Peer peer) {
  const std::string& network = peer.network;
  while (!per_address_->take(network)) {
    auto evicting = evict_longest_idle(network);
    const bool has_evicted = co_await std::move(evicting);
    if (has_evicted) continue;
    refused_per_address_.fetch_add(1, std::memory_order_relaxed);
    co_return too_many_connections_of(network, per_address_->limit());
  }
  while (open_connections() >= places_for(peer)) {
    auto evicting = evict_longest_idle(std::nullopt);
    const bool has_evicted = co_await std::move(evicting);
    if (has_evicted) continue;
    per_address_->give_back(network);
    refused_.fetch_add(1, std::memory_order_relaxed);
    co_return too_many_connections();
  }
  co_return std::nullopt;
}

// Of this network, or of all. False if there is none.
asio::awaitable<bool> Server::evict_longest_idle(std::optional<std::string> network) {
  ShardConnections* longest = nullptr;
  auto earliest = Connection::Clock::time_point::max();
  for (const auto& owner : shard_connections_) {
    auto look = [&idle = owner->idle, &network] {
      const Connection* const first = longest_idle(idle, network);
      return first == nullptr ? Connection::Clock::time_point::max() : first->idle_since();
    };
    auto looking = run_on(owner->shard.executor(), look);
    const auto since = co_await std::move(looking);
    if (since >= earliest) continue;
    earliest = since;
    longest = owner.get();
  }
  if (longest == nullptr) co_return false;
  auto evict = [this, &idle = longest->idle, &network] {
    Connection* const first = longest_idle(idle, network);
    if (first == nullptr) return;  // it has become busy
    first->evict();
    evicted_.fetch_add(1, std::memory_order_relaxed);
  };
  auto evicting = run_on(longest->shard.executor(), evict);
  co_await std::move(evicting);
  co_return true;
}

// Asked at accept, before the peer can pass its socket on.
std::optional<std::uint32_t> Server::user_of(const asio::ip::tcp::socket& socket) {
  error_code ec;
  const auto peer = socket.remote_endpoint(ec);
  if (ec || !is_loopback(peer.address())) return std::nullopt;
  const auto local = socket.local_endpoint(ec);
  if (ec) return std::nullopt;
  return socket_owner_.user_of_peer(peer, local);
}

// The key is empty for a client that has gone already, whose connection ends at once.
Peer Server::peer_of(const asio::ip::tcp::socket& socket) {
  error_code ec;
  const auto address = socket.remote_endpoint(ec).address();
  const auto user = user_of(socket);
  if (ec) return {.user = user, .network = {}};
  return {.user = user,
          .network = client_key(address, user, options_.own_user),
          .is_own_user = is_own_user(address, user, options_.own_user)};
}

// The socket's file keeps other users out.
Peer Server::peer_of(asio::local::stream_protocol::socket& socket) const {
  const auto user = user_of_unix_peer(socket.native_handle());
  return {.user = user, .network = {}, .is_own_user = user == options_.own_user};
}

// Others leave some places to the server's own user, who could not stop them otherwise.
std::size_t Server::places_for(const Peer& peer) const {
  const std::size_t all = options_.max_connections;
  return peer.is_own_user ? all : all - std::min(all / kOwnShare, kMostOwnPlaces);
}

void Server::admit(asio::ip::tcp::socket socket, Peer peer, ShardConnections& owner) {
  set_socket_options(socket, options_.unacknowledged_limit);
  error_code ignored;
  std::string name = to_string(socket.remote_endpoint(ignored));
  auto transport = tls_ ? make_tls_transport(std::move(socket), *tls_->current())
                        : make_plain_transport(std::move(socket), std::move(name));
  open(std::move(transport), std::move(peer), owner);
}

void Server::admit(asio::local::stream_protocol::socket socket, Peer peer,
                   ShardConnections& owner) {
  std::string name = unix_peer(peer.user);
  open(make_plain_transport(std::move(socket), std::move(name)), std::move(peer), owner);
}

void Server::open(std::unique_ptr<Transport> transport, Peer peer, ShardConnections& owner) {
  transport->keep({owner.open, per_address_, peer.network});
  auto begin = [this, &owner, peer = std::move(peer), transport = std::move(transport)]() mutable {
    owner.tasks.spawn("connection", run(std::move(transport), std::move(peer), owner));
  };
  asio::post(owner.shard.executor(), std::move(begin));
}

asio::awaitable<void> Server::run(std::unique_ptr<Transport> transport, Peer peer,
                                  ShardConnections& owner) {
  const auto connection = std::make_shared<Connection>(owner.shard, context_, owner.idle,
                                                       std::move(transport), std::move(peer));
  const auto place = owner.connections.insert(owner.connections.end(), connection);
  co_await connection->run();
  owner.connections.erase(place);
}

Server::ListenerNumbers Server::listener_numbers() {
  return {.tcp = acceptor_.native_handle(),
          .unix_socket = unix_acceptor_.is_open() ? unix_acceptor_.native_handle() : -1,
          .owns_socket_file = socket_file_ != nullptr};
}

Listeners Server::release_listeners() {
  Listeners all;
  // Not closed: Asio would leave the shared socket in its epoll set.
  all.tcp = FileDescriptor(acceptor_.release());
  if (unix_acceptor_.is_open()) all.unix_socket = FileDescriptor(unix_acceptor_.release());
  all.socket_file = std::move(socket_file_);
  return all;
}

asio::awaitable<void> Server::serve_last_requests(std::chrono::milliseconds within) {
  context_.phase = ConnectionPhase::kLastRequests;
  co_await tasks_.joined();  // what was accepted has been admitted
  for (auto& owner : shard_connections_) {
    auto settled = settle(*owner, within);
    tasks_.spawn("last requests", finish_on(owner->shard.executor(), std::move(settled)));
  }
  co_await tasks_.joined();
}

asio::awaitable<void> Server::settle(ShardConnections& owner, std::chrono::milliseconds within) {
  const auto begin = Connection::Clock::now();
  for (const auto& connection : owner.connections)
    connection->stop(begin - within);
  asio::steady_timer timer(owner.shard.executor());
  do {
    timer.expires_after(kSettleCheck);
    co_await timer.async_wait(kNoThrow);
  } while (!owner.idle.empty() && Connection::Clock::now() < begin + within);
}

asio::awaitable<void> Server::stop(std::chrono::milliseconds grace) {
  context_.phase = ConnectionPhase::kStopping;
  error_code ignored;
  acceptor_.close(ignored);
  socket_file_.reset();
  unix_acceptor_.close(ignored);
  co_await tasks_.joined();
  for (auto& owner : shard_connections_)
    tasks_.spawn("drain", drain_on_shard(*owner, grace));
  co_await tasks_.joined();
}

asio::awaitable<void> Server::drain_on_shard(ShardConnections& owner,
                                             std::chrono::milliseconds grace) {
  auto drained = drain(owner, grace);
  co_await asio::co_spawn(owner.shard.executor(), std::move(drained), asio::use_awaitable);
}

asio::awaitable<void> Server::drain(ShardConnections& owner, std::chrono::milliseconds grace) {
  for (const auto& connection : owner.connections)
    connection->stop();
  asio::steady_timer deadline(owner.shard.executor(), grace);
  deadline.async_wait([&owner](error_code ec) {
    if (!ec) owner.tasks.cancel();
  });
  co_await owner.tasks.joined();
}

Server::ShardConnections& Server::emptiest() {
  const auto fewest = [](const auto& a, const auto& b) { return *a->open < *b->open; };
  return **std::min_element(shard_connections_.begin(), shard_connections_.end(), fewest);
}

std::size_t Server::open_connections() const {
  std::size_t open = 0;
  for (const auto& owner : shard_connections_)
    open += *owner->open;
  return open;
}

ServerCounts Server::counts() const {
  return {.accepted = accepted_.load(std::memory_order_relaxed),
          .open = open_connections(),
          .requests = context_.requests.load(std::memory_order_relaxed),
          .refused = refused_.load(std::memory_order_relaxed),
          .refused_per_address = refused_per_address_.load(std::memory_order_relaxed),
          .evicted = evicted_.load(std::memory_order_relaxed)};
}

}  // namespace oriel::http
