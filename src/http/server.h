#pragma once
// The HTTP/1.1 server: listens, assigns each connection to the least loaded shard, serves requests.

#include "http/connection.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace oriel::http {

struct ServerOptions {
  asio::ip::tcp::endpoint listen;
  std::string tls_cert;  // PEM files; both or none
  std::string tls_key;
  std::size_t max_connections = 10'000;  // beyond: 503, then closed
  ConnectionLimits limits;
  std::chrono::milliseconds unacknowledged_limit{
      60'000};  // disconnects a peer that acknowledges nothing for this long
};

struct ServerCounts {
  std::uint64_t accepted = 0;
  std::uint64_t open = 0;  // currently, including streams
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;  // beyond max_connections
};

// Built before the shards run; accepts on the first shard.
class Server {
 public:
  // Binds and listens. Throws std::runtime_error with the address or file and the remedy.
  Server(Shards& shards, const Router& router, const AccessControl& access, ServerOptions options);
  ~Server();

  // Starts accepting.
  void start();

  // The bound address, with the actual port when 0 was requested.
  asio::ip::tcp::endpoint endpoint() const { return endpoint_; }

  // Await on the first shard. Stops accepting, closes idle connections, lets busy ones finish their
  // response for up to `grace`, then closes them. Streams are left to their owners.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  ServerCounts counts() const;

 private:
  struct ShardConnections {
    explicit ShardConnections(Shard& its_shard) : shard(its_shard), tasks(its_shard.executor()) {}

    Shard& shard;
    TaskGroup tasks;
    std::list<std::shared_ptr<Connection>> connections;
    std::shared_ptr<std::atomic<std::size_t>> open = std::make_shared<std::atomic<std::size_t>>(0);
  };

  asio::awaitable<void> accept();
  void admit(asio::ip::tcp::socket socket, ShardConnections& owner);
  asio::awaitable<void> run(std::unique_ptr<Transport> transport, ShardConnections& owner);
  static asio::awaitable<void> drain_on_shard(ShardConnections& owner,
                                              std::chrono::milliseconds grace);
  static asio::awaitable<void> drain(ShardConnections& owner, std::chrono::milliseconds grace);
  ShardConnections& emptiest();
  std::size_t open_connections() const;

  ServerOptions options_;
  ConnectionContext context_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::vector<std::unique_ptr<ShardConnections>> shard_connections_;
  asio::ip::tcp::acceptor acceptor_;
  asio::ip::tcp::endpoint endpoint_;
  TaskGroup tasks_;  // on the first shard
  std::atomic<std::uint64_t> accepted_{0};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace oriel::http
