#include "http/transport/transport.h"

#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <vector>

namespace oriel::http {
namespace {

class TlsTransport final : public Transport {
 public:
  TlsTransport(asio::ip::tcp::socket socket, asio::ssl::context& context)
      : stream_(std::move(socket), context) {}

  asio::awaitable<void> handshake() override {
    co_await stream_.async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
  }

  asio::awaitable<std::size_t> read_some(asio::mutable_buffer into) override {
    co_return co_await stream_.async_read_some(into, asio::use_awaitable);
  }

  asio::awaitable<void> write(std::span<const asio::const_buffer> buffers) override {
    bytes_sent_ += co_await asio::async_write(stream_, buffers, asio::use_awaitable);
  }

  void watch_peer(const std::shared_ptr<StreamObserver>& observer) override {
    observer_ = observer;
    drop_input();
  }

  WriteOutcome send(std::span<const asio::const_buffer> buffers) override {
    const std::vector<asio::const_buffer> kept(buffers.begin(), buffers.end());
    auto count_progress = [this, before = bytes_sent_](error_code ec, std::size_t sent) {
      bytes_sent_ = before + sent;
      return asio::transfer_all()(ec, sent);
    };
    auto finished = [observer = observer_.lock()](error_code ec, std::size_t) {
      if (observer) observer->write_finished(ec);
    };
    asio::async_write(stream_, kept, count_progress, std::move(finished));
    return WriteOutcome::kPending;
  }

  std::uint64_t bytes_sent() const override { return bytes_sent_; }

  std::uint64_t bytes_unacknowledged() override {
    return unacknowledged_bytes(stream_.next_layer().native_handle());
  }

  void cancel() override {
    error_code ignored;
    stream_.next_layer().cancel(ignored);
  }

  // No close_notify: a response ends by its length, an event stream by its last frame.
  void shutdown_send() override {
    error_code ignored;
    stream_.next_layer().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }

  void close() override {
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

  bool is_tls() const override { return true; }

  std::string peer() const override {
    error_code ignored;
    return to_string(stream_.next_layer().remote_endpoint(ignored));
  }

 private:
  void drop_input() {
    stream_.async_read_some(asio::buffer(dropped_),
                            [this, observer = observer_.lock()](error_code ec, std::size_t) {
                              if (!observer) return;
                              if (ec) {
                                observer->peer_closed(ec);
                              } else {
                                drop_input();
                              }
                            });
  }

  asio::ssl::stream<asio::ip::tcp::socket> stream_;
  std::weak_ptr<StreamObserver> observer_;
  std::array<char, 64> dropped_{};
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_tls_transport(asio::ip::tcp::socket socket,
                                              asio::ssl::context& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context);
}

}  // namespace oriel::http
