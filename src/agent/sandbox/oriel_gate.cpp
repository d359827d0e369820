#include "agent/sandbox/oriel_gate.h"

#include "agent/sandbox/relay.h"
#include "base/log.h"
#include "runtime/deadline.h"

#include <utility>

namespace oriel {

Result<std::unique_ptr<OrielGate>> OrielGate::open(asio::any_io_executor shard,
                                                   std::uint16_t oriel_port, GateLimits limits) {
  std::unique_ptr<OrielGate> gate(new OrielGate(shard, oriel_port, limits));
  auto serve = [&opened = *gate](Tcp::socket client) { return opened.serve(std::move(client)); };
  auto listener = SandboxListener::open(shard, limits.max_connections, std::move(serve));
  if (!listener) return listener.error();
  gate->listener_ = *std::move(listener);
  return Result<std::unique_ptr<OrielGate>>(boost::system::in_place_value, std::move(gate));
}

asio::awaitable<void> OrielGate::serve(Tcp::socket client) {
  std::optional<Tcp::socket> server;
  auto connecting = connect();
  try {
    server = co_await with_deadline(limits_.connect_timeout, std::move(connecting));
  } catch (const TimedOut&) {
    // `server` is empty.
  }
  if (server) co_await relay(client, *server, limits_.idle_timeout);
}

// None if it fails. Never from an address that Oriel trusts.
asio::awaitable<std::optional<asio::ip::tcp::socket>> OrielGate::connect() {
  Tcp::socket socket(shard_);
  error_code ec;
  socket.open(Tcp::v4(), ec);
  const Tcp::endpoint from(asio::ip::make_address_v4(kGateAddress), 0);
  if (!ec) socket.bind(from, ec);
  if (ec) {
    log()->error("a sandbox cannot reach Oriel from {}: {}", kGateAddress, ec.message());
    co_return std::nullopt;
  }
  const Tcp::endpoint oriel(asio::ip::address_v4::loopback(), oriel_port_);
  const auto [failure] = co_await socket.async_connect(oriel, kNoThrow);
  if (failure) co_return std::nullopt;
  co_return socket;
}

}  // namespace oriel
