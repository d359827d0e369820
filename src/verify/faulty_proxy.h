#pragma once
// A TCP proxy in front of the verified server that cuts, stalls and slows connections at random.

#include "runtime/asio.h"
#include "runtime/task_group.h"
#include "verify/fault_log.h"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace oriel {

struct ProxyCounts {
  std::uint64_t connections = 0;
  std::uint64_t cut = 0;
  std::uint64_t stalled = 0;
  std::uint64_t slowed = 0;
};

// What happens to one connection, once the server has sent so many bytes.
struct ConnectionFault {
  enum class Kind { kNone, kCut, kStall, kSlow };
  Kind kind = Kind::kNone;
  std::size_t after_bytes = 0;
  std::chrono::milliseconds pause{0};  // of a stall
};

ConnectionFault random_fault(std::mt19937_64& random);

// Lives on one shard. Call stop() and await its end before destruction.
class FaultyProxy {
 public:
  // The seed decides the faults of the first, second ... connection; the log notes them.
  FaultyProxy(asio::any_io_executor shard, std::uint64_t seed, FaultLog& log);

  // Where clients connect to, on loopback.
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  // Of the next connections. Port 0: they are closed at once.
  void set_target(std::uint16_t port,
                  asio::ip::address address = asio::ip::address_v4::loopback()) {
    targets_ = {{address, port}};
  }

  // Each connection goes to one of these at random, as behind a load balancer. None: as port 0.
  void set_targets(const std::vector<std::uint16_t>& ports);

  // From now on connections are not disturbed.
  void calm_down() { is_calm_ = true; }

  void start();
  asio::awaitable<void> stop();

  const ProxyCounts& counts() const { return counts_; }

 private:
  using Socket = asio::ip::tcp::socket;
  struct Connection;
  using ConnectionPtr = std::shared_ptr<Connection>;

  asio::awaitable<void> accept();
  asio::awaitable<void> serve(ConnectionPtr connection);
  asio::awaitable<void> forward_requests(ConnectionPtr connection);
  asio::awaitable<void> forward_responses(ConnectionPtr connection);
  void note(const ConnectionFault& fault);
  asio::awaitable<bool> disturb(ConnectionPtr connection);

  asio::any_io_executor shard_;
  asio::ip::tcp::acceptor acceptor_;
  TaskGroup tasks_;
  std::mt19937_64 random_;
  std::uint64_t disturbed_ = 0;  // connections that got a fault from it
  FaultLog& log_;
  std::vector<asio::ip::tcp::endpoint> targets_{{}};
  std::minstd_rand choice_;  // of a target; apart from the faults, which the seed repeats
  bool is_calm_ = false;
  bool is_stopping_ = false;
  ProxyCounts counts_;
  std::set<ConnectionPtr> connections_;
};

}  // namespace oriel
