#include "http/transport/transport.h"

#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <array>
#include <vector>

namespace oriel::http {
namespace {

class PlainTransport final : public Transport {
 public:
  PlainTransport(asio::generic::stream_protocol::socket socket, std::string peer)
      : socket_(std::move(socket)), peer_(std::move(peer)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
  }

  asio::awaitable<void> handshake() override { co_return; }

  asio::awaitable<std::size_t> read_some(asio::mutable_buffer into) override {
    co_return co_await socket_.async_read_some(into, asio::use_awaitable);
  }

  asio::awaitable<void> write(std::span<const asio::const_buffer> buffers) override {
    error_code ec;
    if (write_at_once(buffers, ec)) co_return;
    if (ec) throw boost::system::system_error(ec);
    const std::span<const asio::const_buffer> rest = rest_;
    bytes_sent_ += co_await asio::async_write(socket_, rest, asio::use_awaitable);
    forget_rest();
  }

  void watch_peer(const std::shared_ptr<StreamObserver>& observer) override {
    observer_ = observer;
    wait_for_peer();
  }

  WriteOutcome send(std::span<const asio::const_buffer> buffers) override {
    error_code ec;
    if (write_at_once(buffers, ec)) return WriteOutcome::kDone;
    if (ec) return WriteOutcome::kFailed;
    wait_until_writable();
    return WriteOutcome::kPending;
  }

  std::uint64_t bytes_sent() const override { return bytes_sent_; }

  std::uint64_t bytes_unacknowledged() override {
    return unacknowledged_bytes(socket_.native_handle());
  }

  void cancel() override {
    error_code ignored;
    socket_.cancel(ignored);
  }

  void shutdown_send() override {
    error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
  }

  void close() override {
    error_code ignored;
    socket_.close(ignored);
  }

  std::string peer() const override { return peer_; }

 private:
  // Writes what the kernel accepts now, usually everything, without an iteration of the loop.
  // Unless there is an error, the rest is in rest_.
  bool write_at_once(std::span<const asio::const_buffer> buffers, error_code& ec) {
    std::size_t written = write_now(buffers, ec);
    if (ec && ec != asio::error::would_block) return false;
    ec.clear();
    while (!buffers.empty() && written >= buffers.front().size()) {
      written -= buffers.front().size();
      buffers = buffers.subspan(1);
    }
    if (buffers.empty()) return true;
    rest_.assign(buffers.begin(), buffers.end());
    rest_.front() += written;
    return false;
  }

  std::size_t write_now(std::span<const asio::const_buffer> buffers, error_code& ec) {
    // A single buffer, the usual case, needs only the cheaper system call.
    const std::size_t written = buffers.size() == 1 ? socket_.write_some(buffers.front(), ec)
                                                    : socket_.write_some(buffers, ec);
    bytes_sent_ += written;
    return written;
  }

  void wait_until_writable() {
    socket_.async_wait(asio::socket_base::wait_write,
                       [this, observer = observer_.lock()](error_code ec) {
                         if (!ec) ec = write_rest();
                         if (ec == asio::error::would_block) {
                           wait_until_writable();
                         } else if (observer) {
                           observer->write_finished(ec);
                         }
                       });
  }

  // would_block while bytes remain.
  error_code write_rest() {
    error_code ec;
    std::size_t written = write_now(rest_, ec);
    while (!rest_.empty() && written >= rest_.front().size()) {
      written -= rest_.front().size();
      rest_.erase(rest_.begin());
    }
    if (ec) return ec;
    if (rest_.empty()) {
      forget_rest();
      return {};
    }
    rest_.front() += written;
    return asio::error::would_block;
  }

  // It held a whole batch.
  void forget_rest() { std::vector<asio::const_buffer>().swap(rest_); }

  void wait_for_peer() {
    socket_.async_wait(asio::socket_base::wait_read,
                       [this, observer = observer_.lock()](error_code ec) {
                         if (!observer) return;
                         if (!ec) ec = drop_input();
                         if (ec == asio::error::would_block) {
                           wait_for_peer();
                         } else {
                           observer->peer_closed(ec);
                         }
                       });
  }

  // would_block while the peer is connected.
  error_code drop_input() {
    std::array<char, 4096> dropped;
    error_code ec;
    socket_.read_some(asio::buffer(dropped), ec);
    return ec ? ec : asio::error::would_block;
  }

  asio::generic::stream_protocol::socket socket_;
  std::string peer_;
  std::uint64_t bytes_sent_ = 0;
  std::weak_ptr<StreamObserver> observer_;
  std::vector<asio::const_buffer> rest_;  // of the write that is pending
};

}  // namespace

std::unique_ptr<Transport> make_plain_transport(asio::generic::stream_protocol::socket socket,
                                                std::string peer) {
  return std::make_unique<PlainTransport>(std::move(socket), std::move(peer));
}

std::uint64_t unacknowledged_bytes(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) == 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

std::string to_string(const asio::ip::tcp::endpoint& endpoint) {
  const std::string port = ":" + std::to_string(endpoint.port());
  const std::string address = endpoint.address().to_string();
  return endpoint.address().is_v6() ? "[" + address + "]" + port : address + port;
}

}  // namespace oriel::http
