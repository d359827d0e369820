#pragma once
// For tests: forwards connections on loopback, and cuts or silences them.

#include "runtime/asio.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace oriel {

class CuttingProxy {
 public:
  explicit CuttingProxy(int target) : target_(target) {
    asio::co_spawn(io_, accept(), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }

  ~CuttingProxy() {
    io_.stop();
    thread_.join();
  }

  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  std::string url() const {
    return "nats://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }

  // Ends all connections. New ones are refused while `is_down`.
  void cut(bool is_down = false) {
    std::promise<void> done;
    asio::post(io_, [&] {
      is_down_ = is_down;
      for (const auto& socket : sockets_)
        socket->close();
      sockets_.clear();
      done.set_value();
    });
    done.get_future().wait();
  }

  void restore() { cut(false); }

  // Until speak(), nothing passes and nobody is told, as when a machine loses its network.
  void silence() { is_silent_ = true; }

  void speak() { is_silent_ = false; }

 private:
  using Socket = asio::ip::tcp::socket;
  using SocketPtr = std::shared_ptr<Socket>;

  asio::awaitable<void> accept() {
    while (true) {
      auto client = std::make_shared<Socket>(io_);
      co_await acceptor_.async_accept(*client, asio::use_awaitable);
      if (is_down_) continue;
      auto server = std::make_shared<Socket>(io_);
      const asio::ip::tcp::endpoint target(asio::ip::address_v4::loopback(),
                                           static_cast<std::uint16_t>(target_));
      boost::system::error_code failure;
      server->connect(target, failure);
      if (failure) continue;
      sockets_.push_back(client);
      sockets_.push_back(server);
      asio::co_spawn(io_, copy(client, server), asio::detached);
      asio::co_spawn(io_, copy(server, client), asio::detached);
    }
  }

  asio::awaitable<void> copy(SocketPtr from, SocketPtr to) {
    std::array<char, 16 << 10> bytes{};
    while (true) {
      const auto [failure, size] = co_await from->async_read_some(asio::buffer(bytes), kNoThrow);
      if (failure) break;
      if (is_silent_) continue;
      const auto [write_failure, written] =
          co_await asio::async_write(*to, asio::buffer(bytes.data(), size), kNoThrow);
      if (write_failure) break;
    }
    boost::system::error_code ignored;
    from->close(ignored);
    to->close(ignored);
  }

  const int target_;
  asio::io_context io_{1};
  asio::ip::tcp::acceptor acceptor_{io_, {asio::ip::address_v4::loopback(), 0}};
  std::vector<SocketPtr> sockets_;
  bool is_down_ = false;
  std::atomic<bool> is_silent_ = false;
  std::thread thread_;
};

}  // namespace oriel
