#pragma once
// The HTTP/1.1 server: listens, places each connection on the shard that has fewest, and answers
// requests.

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
  std::size_t max_connections = 10'000;  // beyond: 503 and closed
  ConnectionLimits limits;
  std::chrono::milliseconds unacknowledged_limit{
      60'000};  // a peer that acknowledges nothing for so long is cut off
};

struct ServerCounts {
  std::uint64_t accepted = 0;
  std::uint64_t open = 0;  // now, streams included
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;  // beyond max_connections
};

// Owned by the app and built before the shards run; accepts on the first one.
class Server {
 public:
  // Listens. Throws std::runtime_error that names the address or file, and the remedy.
  Server(Shards& shards, const Router& router, const AccessControl& access, ServerOptions options);
  ~Server();

  // Accepts from now on.
  void start();

  // Where it listens; with port 0 asked for, the port that was given.
  asio::ip::tcp::endpoint endpoint() const { return endpoint_; }

  // To be awaited on the first shard. Accepts no more; connections that wait for a request are
  // closed, those that answer one close after it. Returns when none is left but streams; what is
  // left after `grace` is cut off.
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
  void admit(asio::ip::tcp::socket socket, ShardConnections& home);
  asio::awaitable<void> run(std::unique_ptr<Transport> transport, ShardConnections& home);
  static asio::awaitable<void> drain_on_shard(ShardConnections& home,
                                              std::chrono::milliseconds grace);
  static asio::awaitable<void> drain(ShardConnections& home, std::chrono::milliseconds grace);
  ShardConnections& emptiest();
  std::size_t open_connections() const;

  ServerOptions options_;
  ConnectionContext site_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::vector<std::unique_ptr<ShardConnections>> homes_;
  asio::ip::tcp::acceptor acceptor_;
  asio::ip::tcp::endpoint endpoint_;
  TaskGroup tasks_;  // on the first shard: accepting, and stopping
  std::atomic<std::uint64_t> accepted_{0};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace oriel::http
