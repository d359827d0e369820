#pragma once
// The HTTP/1.1 server: listens on a TCP address and on a Unix socket, assigns each connection to
// the least loaded shard, serves requests.

#include "base/failure_log.h"
#include "base/keyed_limit.h"
#include "http/connection.h"
#include "http/listeners.h"
#include "http/transport/tls_context.h"
#include "posix/socket_owner.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace oriel::http {

struct ServerOptions {
  asio::ip::tcp::endpoint listen;
  std::filesystem::path socket = {};  // without TLS; empty: none
  TlsFiles tls;
  std::size_t max_connections = 10'000;  // beyond: the longest idle one is closed, else 503
  std::size_t max_connections_per_address = 256;  // of a client_key(); beyond: the same
  std::uint32_t own_user = ::geteuid();           // for whom some places are kept
  ConnectionLimits limits;
  std::chrono::milliseconds unacknowledged_limit{
      60'000};  // disconnects a peer that acknowledges nothing for this long
};

struct ServerCounts {
  std::uint64_t accepted = 0;
  std::uint64_t open = 0;  // currently, including streams
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;              // beyond max_connections
  std::uint64_t refused_per_address = 0;  // beyond max_connections_per_address
  std::uint64_t evicted = 0;              // idle ones, to make room
};

// Built before the shards run; accepts on the first shard.
class Server {
 public:
  // Uses these listeners, and binds and listens wherever there is none. Throws std::runtime_error
  // with the address or file and the remedy. Removes the socket's file when it stops or is
  // destroyed.
  Server(Shards& shards, const Router& router, const AccessControl& access, ServerOptions options,
         Listeners listeners = {});
  ~Server();

  // Starts accepting.
  void start();

  // As TlsContext::reload; false without TLS.
  bool reload_tls(TlsReload when);

  // The bound address, with the actual port when 0 was requested.
  asio::ip::tcp::endpoint endpoint() const { return endpoint_; }

  // Copies of the listeners, to be passed to another process.
  struct ListenerNumbers {
    int tcp = -1;
    int unix_socket = -1;  // -1: none
    bool owns_socket_file = false;
  };

  ListenerNumbers listener_numbers();

  // On the first shard, before stop(). Stops accepting and returns the listeners: whoever connects
  // now waits for the server that uses them next.
  Listeners release_listeners();

  // Await on the first shard, before stop(). Serves one more request of each connection that was
  // used within this time or is used until it has passed. Closes idle connections after their last
  // response, or after the time.
  asio::awaitable<void> serve_last_requests(std::chrono::milliseconds within);

  // Await on the first shard. Stops accepting, closes idle connections, lets busy ones finish their
  // response for up to `grace`, then closes them. Streams are left to their owners.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  ServerCounts counts() const;

 private:
  struct ShardConnections {
    explicit ShardConnections(Shard& its_shard) : shard(its_shard), tasks(its_shard.executor()) {}

    Shard& shard;
    TaskGroup tasks;
    IdleConnections idle;
    std::list<std::shared_ptr<Connection>> connections;
    std::shared_ptr<std::atomic<std::size_t>> open = std::make_shared<std::atomic<std::size_t>>(0);
  };

  template <class Acceptor>
  asio::awaitable<void> accept(Acceptor& acceptor);
  void report_failed_accept(const error_code& failure);
  asio::awaitable<std::optional<Error>> make_room(Peer peer);
  asio::awaitable<bool> evict_longest_idle(std::optional<std::string> network);
  void admit(asio::ip::tcp::socket socket, Peer peer, ShardConnections& owner);
  void admit(asio::local::stream_protocol::socket socket, Peer peer, ShardConnections& owner);
  void open(std::unique_ptr<Transport> transport, Peer peer, ShardConnections& owner);
  Peer peer_of(const asio::ip::tcp::socket& socket);
  Peer peer_of(asio::local::stream_protocol::socket& socket) const;
  std::optional<std::uint32_t> user_of(const asio::ip::tcp::socket& socket);
  std::size_t places_for(const Peer& peer) const;
  asio::awaitable<void> run(std::unique_ptr<Transport> transport, Peer peer,
                            ShardConnections& owner);
  static asio::awaitable<void> settle(ShardConnections& owner, std::chrono::milliseconds within);
  static asio::awaitable<void> drain_on_shard(ShardConnections& owner,
                                              std::chrono::milliseconds grace);
  static asio::awaitable<void> drain(ShardConnections& owner, std::chrono::milliseconds grace);
  ShardConnections& emptiest();
  std::size_t open_connections() const;

  ServerOptions options_;
  ConnectionContext context_;
  std::unique_ptr<TlsContext> tls_;  // null: plain HTTP
  std::vector<std::unique_ptr<ShardConnections>> shard_connections_;
  std::shared_ptr<KeyedLimit> per_address_;  // by client_key(); streams may outlive the server
  asio::ip::tcp::acceptor acceptor_;
  asio::ip::tcp::endpoint endpoint_;
  asio::local::stream_protocol::acceptor unix_acceptor_;  // closed without a socket
  std::unique_ptr<SocketFile> socket_file_;  // null: none; goes before the acceptor is closed
  SocketOwner socket_owner_;                 // used by accept() only
  FailureLog accept_failures_;
  TaskGroup tasks_;  // on the first shard
  std::atomic<std::uint64_t> accepted_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<std::uint64_t> refused_per_address_{0};
  std::atomic<std::uint64_t> evicted_{0};
};

}  // namespace oriel::http
