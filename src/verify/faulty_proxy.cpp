#include "verify/faulty_proxy.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

using asio::ip::tcp;
using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kSlowBytes = 512;  // read at once from a slowed connection
constexpr milliseconds kSlowPause{5};
constexpr milliseconds kAcceptAgain{100};

std::string_view name_of(ConnectionFault::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"none", "cut", "stall", "slow"};
  return kNames[static_cast<std::size_t>(kind)];
}

tcp::endpoint loopback(std::uint16_t port) {
  return {asio::ip::address_v4::loopback(), port};
}

}  // namespace

// Requests and responses are forwarded by a coroutine each; the first one to end closes both
// sockets.
struct FaultyProxy::Connection {
  explicit Connection(Socket accepted)
      : client(std::move(accepted)), server(client.get_executor()) {}

  // The client sees a reset, as after the loss of a network.
  void cut() {
    error_code ignored;
    client.set_option(asio::socket_base::linger(true, 0), ignored);
    close();
  }

  void close() {
    error_code ignored;
    client.close(ignored);
    server.close(ignored);
  }

  Socket client;
  Socket server;
  ConnectionFault fault;
  std::size_t forwarded = 0;  // bytes of responses
};

ConnectionFault random_fault(std::mt19937_64& random) {
  using Kind = ConnectionFault::Kind;
  const std::uint64_t kind = random() % 10;
  // From one byte to 256 KiB, each power of two as likely as the others.
  const std::uint64_t most = std::uint64_t(1) << (random() % 19);
  ConnectionFault fault{.kind = Kind::kNone, .after_bytes = random() % most};
  if (kind >= 4) fault.kind = Kind::kCut;
  if (kind == 8) fault.kind = Kind::kSlow;
  if (kind == 9) {
    fault.kind = Kind::kStall;
    fault.pause = milliseconds(100 + random() % 2000);
  }
  return fault;
}

FaultyProxy::FaultyProxy(asio::any_io_executor shard, std::uint64_t seed, FaultLog& log)
    : shard_(shard),
      acceptor_(shard, loopback(0)),
      tasks_(shard),
      random_(seed),
      log_(log),
      choice_(static_cast<std::minstd_rand::result_type>(seed)) {}

void FaultyProxy::set_targets(const std::vector<std::uint16_t>& ports) {
  targets_.clear();
  for (const std::uint16_t port : ports)
    targets_.push_back(loopback(port));
  if (targets_.empty()) set_target(0);
}

void FaultyProxy::start() {
  tasks_.spawn("proxy", accept());
}

asio::awaitable<void> FaultyProxy::stop() {
  is_stopping_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  for (const ConnectionPtr& connection : connections_)
    connection->close();
  co_await tasks_.joined();
}

asio::awaitable<void> FaultyProxy::accept() {
  while (!is_stopping_) {
    auto [ec, socket] = co_await acceptor_.async_accept(kNoThrow);
    if (ec) {  // out of descriptors, or stopping
      asio::steady_timer timer(shard_, kAcceptAgain);
      co_await timer.async_wait(kNoThrow);
      continue;
    }
    ++counts_.connections;
    auto connection = std::make_shared<Connection>(std::move(socket));
    tasks_.spawn("proxied connection", serve(connection));
  }
}

asio::awaitable<void> FaultyProxy::serve(ConnectionPtr connection) {
  connections_.insert(connection);
  if (!is_calm_) {
    connection->fault = random_fault(random_);
    note(connection->fault);
  }
  const tcp::endpoint target = targets_[choice_() % targets_.size()];
  auto [ec] = co_await connection->server.async_connect(target, kNoThrow);
  if (!ec && !is_stopping_) {
    tasks_.spawn("proxied requests", forward_requests(connection));
    auto forwarding = forward_responses(connection);
    co_await std::move(forwarding);
  }
  connection->close();
  connections_.erase(connection);
}

void FaultyProxy::note(const ConnectionFault& fault) {
  boost::json::object line{{"connection", ++disturbed_},
                           {"fault", name_of(fault.kind)},
                           {"after_bytes", fault.after_bytes}};
  if (fault.kind == ConnectionFault::Kind::kStall) line["pause_ms"] = fault.pause.count();
  log_.note(line);
}

asio::awaitable<void> FaultyProxy::forward_requests(ConnectionPtr connection) {
  std::array<char, kReadBytes> bytes;
  while (true) {
    const auto space = asio::buffer(bytes);
    auto [ec, count] = co_await connection->client.async_read_some(space, kNoThrow);
    if (ec) break;
    const auto data = asio::buffer(bytes.data(), count);
    auto [failure, written] = co_await asio::async_write(connection->server, data, kNoThrow);
    if (failure) break;
  }
  connection->close();
}

asio::awaitable<void> FaultyProxy::forward_responses(ConnectionPtr connection) {
  std::array<char, kReadBytes> bytes;
  while (true) {
    auto disturbing = disturb(connection);
    const bool is_open = co_await std::move(disturbing);
    if (!is_open) co_return;
    const ConnectionFault& fault = connection->fault;
    std::size_t size = bytes.size();
    if (fault.kind != ConnectionFault::Kind::kNone) {
      // Up to the fault, so that it strikes at its byte.
      const bool is_before = fault.after_bytes > connection->forwarded;
      size = is_before ? std::min(size, fault.after_bytes - connection->forwarded) : kSlowBytes;
    }
    const auto space = asio::buffer(bytes.data(), size);
    auto [ec, count] = co_await connection->server.async_read_some(space, kNoThrow);
    if (ec) co_return;
    const auto data = asio::buffer(bytes.data(), count);
    auto [failure, written] = co_await asio::async_write(connection->client, data, kNoThrow);
    if (failure) co_return;
    connection->forwarded += count;
  }
}

// Returns false once the connection is cut.
asio::awaitable<bool> FaultyProxy::disturb(ConnectionPtr connection) {
  ConnectionFault& fault = connection->fault;
  if (is_calm_) fault = {};
  if (fault.kind == ConnectionFault::Kind::kNone || connection->forwarded < fault.after_bytes)
    co_return true;
  if (fault.kind == ConnectionFault::Kind::kCut) {
    ++counts_.cut;
    connection->cut();
    co_return false;
  }
  asio::steady_timer timer(shard_);
  if (fault.kind == ConnectionFault::Kind::kSlow) {
    if (connection->forwarded == fault.after_bytes) ++counts_.slowed;
    timer.expires_after(kSlowPause);
  } else {
    ++counts_.stalled;
    timer.expires_after(fault.pause);
    fault.kind = ConnectionFault::Kind::kNone;
  }
  co_await timer.async_wait(asio::use_awaitable);
  co_return true;
}

}  // namespace oriel
