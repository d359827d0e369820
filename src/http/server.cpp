#include "http/server.h"

#include "base/log.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <netinet/tcp.h>

#include <stdexcept>

namespace oriel::http {
namespace {

constexpr std::chrono::milliseconds kAcceptRetry{
    100};  // after a failure such as too many open files

std::unique_ptr<asio::ssl::context> make_tls(const ServerOptions& options) {
  if (options.tls_cert.empty()) return nullptr;
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  error_code ec;
  context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                       asio::ssl::context::no_tlsv1_1);
  context->use_certificate_chain_file(options.tls_cert, ec);
  if (ec) {
    throw std::runtime_error("cannot use the TLS certificate " + options.tls_cert + ": " +
                             ec.message() + "; --tls-cert takes a PEM file with the whole chain");
  }
  context->use_private_key_file(options.tls_key, asio::ssl::context::pem, ec);
  if (ec) {
    throw std::runtime_error("cannot use the TLS key " + options.tls_key + ": " + ec.message() +
                             "; --tls-key takes the PEM file with the certificate's private key");
  }
  return context;
}

asio::ip::tcp::acceptor listen(Shard& shard, const asio::ip::tcp::endpoint& endpoint) {
  try {
    return asio::ip::tcp::acceptor(shard.executor(), endpoint, true);
  } catch (const boost::system::system_error& failure) {
    throw std::runtime_error("cannot listen on " + to_string(endpoint) + ": " +
                             failure.code().message() +
                             "; stop what listens there or choose another --listen");
  }
}

void set_socket_options(asio::ip::tcp::socket& socket, std::chrono::milliseconds unacknowledged) {
  error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto limit = static_cast<unsigned>(unacknowledged.count());
  setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit);
}

void refuse(asio::ip::tcp::socket socket) {
  Response response =
      error_response(503, {.kind = ErrorKind::kTooManyConnections,
                           .message = "the server has reached its limit of connections",
                           .hint = "retry later, or raise --max-connections"});
  response.headers.emplace_back("Retry-After", "5");
  const std::string bytes = serialize_head(response, response.body->size(), false) + *response.body;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(bytes), ignored);
  socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

}  // namespace

Server::Server(Shards& shards, const Router& router, const AccessControl& access,
               ServerOptions options)
    : options_(std::move(options)),
      context_{.router = router, .access = access, .limits = options_.limits},
      tls_(make_tls(options_)),
      acceptor_(listen(shards[0], options_.listen)),
      endpoint_(acceptor_.local_endpoint()),
      tasks_(shards[0].executor()) {
  for (auto& shard : shards)
    shard_connections_.push_back(std::make_unique<ShardConnections>(*shard));
}

Server::~Server() = default;

void Server::start() {
  tasks_.spawn("accept", accept());
}

asio::awaitable<void> Server::accept() {
  while (acceptor_.is_open()) {
    ShardConnections& owner = emptiest();
    auto [ec, socket] = co_await acceptor_.async_accept(owner.shard.executor(), kNoThrow);
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      log()->warn("cannot accept a connection: {}", ec.message());
      asio::steady_timer pause(acceptor_.get_executor(), kAcceptRetry);
      co_await pause.async_wait(kNoThrow);
      continue;
    }
    accepted_.fetch_add(1, std::memory_order_relaxed);
    if (open_connections() >= options_.max_connections) {
      refused_.fetch_add(1, std::memory_order_relaxed);
      refuse(std::move(socket));
      continue;
    }
    admit(std::move(socket), owner);
  }
}

void Server::admit(asio::ip::tcp::socket socket, ShardConnections& owner) {
  set_socket_options(socket, options_.unacknowledged_limit);
  auto transport =
      tls_ ? make_tls_transport(std::move(socket), *tls_) : make_plain_transport(std::move(socket));
  owner.open->fetch_add(1);
  auto count_down = [open = owner.open](void*) { open->fetch_sub(1); };
  transport->keep(std::shared_ptr<void>(this, std::move(count_down)));
  auto begin = [this, &owner, transport = std::move(transport)]() mutable {
    owner.tasks.spawn("connection", run(std::move(transport), owner));
  };
  asio::post(owner.shard.executor(), std::move(begin));
}

asio::awaitable<void> Server::run(std::unique_ptr<Transport> transport, ShardConnections& owner) {
  const auto connection = std::make_shared<Connection>(owner.shard, context_, std::move(transport));
  const auto place = owner.connections.insert(owner.connections.end(), connection);
  co_await connection->run();
  owner.connections.erase(place);
}

asio::awaitable<void> Server::stop(std::chrono::milliseconds grace) {
  context_.is_stopping = true;
  error_code ignored;
  acceptor_.close(ignored);
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
          .refused = refused_.load(std::memory_order_relaxed)};
}

}  // namespace oriel::http
