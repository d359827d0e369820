#include "agent/sandbox/relay.h"

#include "runtime/deadline.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <utility>

namespace oriel {
namespace {

using asio::ip::tcp;

constexpr std::size_t kCopyBytes = 16 << 10;

// A connection in both directions. It ends when both have ended, or nothing moved for long.
class Relay {
 public:
  Relay(tcp::socket& client, tcp::socket& server, std::chrono::milliseconds idle_timeout)
      : client_(client), server_(server), limit_(idle_timeout), idle_(client.get_executor()) {}

  asio::awaitable<void> run() {
    using namespace asio::experimental::awaitable_operators;
    idle_.expires_after(limit_);
    auto both = copy(client_, server_) && copy(server_, client_);
    auto until_idle = std::move(both) || watch();
    co_await std::move(until_idle);
  }

 private:
  asio::awaitable<void> copy(tcp::socket& from, tcp::socket& to) {
    std::array<char, kCopyBytes> bytes;
    for (;;) {
      const auto buffer = asio::buffer(bytes);
      const auto [read_error, size] = co_await from.async_read_some(buffer, kNoThrow);
      if (read_error) break;
      idle_.expires_after(limit_);
      const auto filled = asio::buffer(bytes, size);
      const auto [write_error, written] = co_await asio::async_write(to, filled, kNoThrow);
      if (write_error) break;
    }
    error_code ignored;
    to.shutdown(tcp::socket::shutdown_send, ignored);
    from.shutdown(tcp::socket::shutdown_receive, ignored);
  }

  asio::awaitable<void> watch() {
    while (idle_.expiry() > std::chrono::steady_clock::now()) {
      co_await idle_.async_wait(kNoThrow);
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() != asio::cancellation_type::none) co_return;
    }
  }

  tcp::socket& client_;
  tcp::socket& server_;
  std::chrono::milliseconds limit_;
  asio::steady_timer idle_;
};

}  // namespace

asio::awaitable<void> relay(tcp::socket& client, tcp::socket& server,
                            std::chrono::milliseconds idle_timeout) {
  Relay both(client, server, idle_timeout);
  co_await both.run();
}

}  // namespace oriel
