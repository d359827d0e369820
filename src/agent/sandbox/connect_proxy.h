#pragma once
// The only network access of a sandbox: an HTTP proxy that connects to the destinations that the
// policy allows.

#include "agent/sandbox/network_policy.h"
#include "agent/sandbox/sandbox_listener.h"
#include "runtime/asio.h"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct ProxyLimits {
  std::size_t max_connections = 256;
  std::size_t max_head_bytes = 16 << 10;
  std::chrono::milliseconds head_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(30);  // with name resolution
  std::chrono::milliseconds idle_timeout = std::chrono::hours(1);        // of a connection
};

// Lives on one shard, owned by its agent. Await stop() before destruction.
class ConnectProxy {
 public:
  // Starts to wait for a sandbox. Error: kCannotStart.
  static Result<std::unique_ptr<ConnectProxy>> open(asio::any_io_executor shard,
                                                    NetworkPolicy policy, std::uint16_t oriel_port,
                                                    ProxyLimits limits);
  ConnectProxy(const ConnectProxy&) = delete;
  ConnectProxy& operator=(const ConnectProxy&) = delete;

  // See SandboxListener.
  const std::filesystem::path& handover() const { return listener_->handover(); }

  asio::awaitable<void> stop() { return listener_->stop(); }

 private:
  using Tcp = asio::ip::tcp;

  ConnectProxy(asio::any_io_executor shard, NetworkPolicy policy, std::uint16_t oriel_port,
               ProxyLimits limits);

  asio::awaitable<void> serve(Tcp::socket client);
  asio::awaitable<std::optional<Tcp::socket>> reach(Tcp::socket& client, HostPort wanted);
  asio::awaitable<Result<std::vector<Tcp::endpoint>>> find_endpoints(HostPort wanted);
  asio::awaitable<std::optional<Tcp::socket>> connect(std::vector<Tcp::endpoint> endpoints);

  asio::any_io_executor shard_;
  NetworkPolicy policy_;
  std::uint16_t oriel_port_;
  ProxyLimits limits_;
  std::unique_ptr<SandboxListener> listener_;
};

}  // namespace oriel
