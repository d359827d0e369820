#pragma once
// Connects a sandbox to Oriel's own port, for an agent with a token.
//
// Connections come from kGateAddress instead of 127.0.0.1, because they belong to Oriel's own
// process, which is trusted on 127.0.0.1.

#include "agent/sandbox/sandbox_listener.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace oriel {

constexpr const char* kGateAddress = "127.0.0.2";

struct GateLimits {
  std::size_t max_connections = 64;
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds idle_timeout = std::chrono::hours(1);  // of a connection
};

// Lives on one shard, owned by its agent. Await stop() before destruction.
class OrielGate {
 public:
  // `oriel_port` is that of a listener on 127.0.0.1. Error: kCannotStart.
  static Result<std::unique_ptr<OrielGate>> open(asio::any_io_executor shard,
                                                 std::uint16_t oriel_port, GateLimits limits);
  OrielGate(const OrielGate&) = delete;
  OrielGate& operator=(const OrielGate&) = delete;

  // See SandboxListener.
  const std::filesystem::path& handover() const { return listener_->handover(); }

  asio::awaitable<void> stop() { return listener_->stop(); }

 private:
  using Tcp = asio::ip::tcp;

  OrielGate(asio::any_io_executor shard, std::uint16_t oriel_port, GateLimits limits)
      : shard_(std::move(shard)), oriel_port_(oriel_port), limits_(limits) {}

  asio::awaitable<void> serve(Tcp::socket client);
  asio::awaitable<std::optional<Tcp::socket>> connect();

  asio::any_io_executor shard_;
  std::uint16_t oriel_port_;
  GateLimits limits_;
  std::unique_ptr<SandboxListener> listener_;
};

}  // namespace oriel
