#pragma once
// A connection's bytes, plain or TLS: the one seam between sockets and everything that speaks HTTP
// over them.

#include "runtime/asio.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace oriel::http {

// Told about a connection that streams. Called on its shard.
class StreamObserver {
 public:
  virtual ~StreamObserver() = default;
  virtual void write_finished(error_code ec) = 0;  // of a write that was pending
  virtual void peer_closed(error_code ec) = 0;     // or the connection broke
};

enum class WriteOutcome { kDone, kPending, kFailed };

// Lives on one shard. One read and one write may be under way at a time. Destroying it closes the
// connection; what the kernel has accepted is still sent.
class Transport {
 public:
  virtual ~Transport() = default;

  // For requests and their answers. Throw boost::system::system_error when the connection breaks or
  // is closed.
  virtual asio::awaitable<void> handshake() = 0;
  virtual asio::awaitable<std::size_t> read_some(asio::mutable_buffer into) = 0;
  virtual asio::awaitable<void> write(std::span<const asio::const_buffer> buffers) = 0;

  // For streams: reads and drops what the peer sends from now on, and tells the observer when it
  // closes. The observer is kept alive only while an operation is under way.
  virtual void watch_peer(const std::shared_ptr<StreamObserver>& observer) = 0;

  // Tries to send everything at once. kPending: the observer will be told, and the bytes must stay
  // until then.
  virtual WriteOutcome send(std::span<const asio::const_buffer> buffers) = 0;

  // Handed to the kernel so far.
  virtual std::uint64_t bytes_sent() const = 0;

  // Of these, not yet acknowledged by the peer. As long as it changes, the peer is slow, not
  // stalled.
  virtual std::uint64_t bytes_unacknowledged() = 0;

  // Ends the operations under way with operation_aborted; the connection stays.
  virtual void cancel() = 0;

  // Says that no more will come; reading goes on.
  virtual void shutdown_send() = 0;

  // Ends everything.
  virtual void close() = 0;

  virtual std::string peer() const = 0;  // "127.0.0.1:50412"

  // Something to be released together with the connection, wherever that is destroyed.
  void keep(std::shared_ptr<void> lease) { lease_ = std::move(lease); }

 private:
  std::shared_ptr<void> lease_;
};

std::unique_ptr<Transport> make_plain_transport(asio::ip::tcp::socket socket);
std::unique_ptr<Transport> make_tls_transport(asio::ip::tcp::socket socket,
                                              asio::ssl::context& context);

std::uint64_t unacknowledged_bytes(int socket);

// "127.0.0.1:50412", "[::1]:50412".
std::string to_string(const asio::ip::tcp::endpoint& endpoint);

}  // namespace oriel::http
