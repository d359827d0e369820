#pragma once
// The byte stream of a connection, plain or TLS, over TCP or a Unix socket: the interface between
// sockets and HTTP.

#include "http/transport/connection_lease.h"
#include "runtime/asio.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace oriel::http {

// Notified about a streaming connection, on its shard.
class StreamObserver {
 public:
  virtual ~StreamObserver() = default;
  virtual void write_finished(error_code ec) = 0;  // a pending write completed
  virtual void peer_closed(error_code ec) = 0;     // or the connection failed
};

enum class WriteOutcome { kDone, kPending, kFailed };

// Lives on one shard. One read and one write may be pending at a time. Destroying it closes the
// connection; bytes accepted by the kernel are still sent.
class Transport {
 public:
  virtual ~Transport() = default;

  // For requests and responses. Throw boost::system::system_error when the connection fails or is
  // closed.
  virtual asio::awaitable<void> handshake() = 0;
  virtual asio::awaitable<std::size_t> read_some(asio::mutable_buffer into) = 0;
  virtual asio::awaitable<void> write(std::span<const asio::const_buffer> buffers) = 0;

  // For streams: discards further input and notifies the observer when the peer closes. Keeps the
  // observer alive only while an operation is pending.
  virtual void watch_peer(const std::shared_ptr<StreamObserver>& observer) = 0;

  // Tries to send everything at once. kPending: the observer is notified later, and the bytes must
  // stay valid until then.
  virtual WriteOutcome send(std::span<const asio::const_buffer> buffers) = 0;

  // Handed to the kernel so far.
  virtual std::uint64_t bytes_sent() const = 0;

  // Sent but not acknowledged by the peer. A changing value means the peer is slow, not stalled.
  virtual std::uint64_t bytes_unacknowledged() = 0;

  // Aborts pending operations with operation_aborted; the connection stays open.
  virtual void cancel() = 0;

  // Half-closes: no more output, input continues.
  virtual void shutdown_send() = 0;

  // Closes the connection.
  virtual void close() = 0;

  virtual bool is_tls() const { return false; }

  virtual std::string peer() const = 0;  // "127.0.0.1:50412"; "unix:1000" with the client's user

  // Its place in the server's limits, released together with the connection.
  void keep(ConnectionLease lease) { lease_ = std::move(lease); }

 private:
  ConnectionLease lease_;
};

// Over TCP or a Unix socket; `peer` is what peer() returns.
std::unique_ptr<Transport> make_plain_transport(asio::generic::stream_protocol::socket socket,
                                                std::string peer);

// Shares the context's settings; they stay valid when the context is destroyed.
std::unique_ptr<Transport> make_tls_transport(asio::ip::tcp::socket socket,
                                              asio::ssl::context& context);

std::uint64_t unacknowledged_bytes(int socket);

// "127.0.0.1:50412", "[::1]:50412".
std::string to_string(const asio::ip::tcp::endpoint& endpoint);

}  // namespace oriel::http
