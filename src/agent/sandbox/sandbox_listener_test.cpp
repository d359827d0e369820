#include "agent/sandbox/sandbox_listener.h"

#include "agent/sandbox/handover_testing.h"
#include "posix/process_testing.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <new>

namespace oriel {
namespace {

using asio::ip::tcp;

asio::awaitable<void> greet(tcp::socket client) {
  const std::string hello = "hello";
  const auto greeting = asio::buffer(hello);
  co_await asio::async_write(client, greeting, asio::use_awaitable);
}

asio::awaitable<std::string> read_to_end(tcp::endpoint server) {
  tcp::socket client(co_await asio::this_coro::executor);
  co_await client.async_connect(server, asio::use_awaitable);
  std::string received;
  auto buffer = asio::dynamic_buffer(received);
  co_await asio::async_read(client, buffer, kNoThrow);
  co_return received;
}

// Two agents connect; the first cannot be served. Returns what each receives.
asio::awaitable<std::vector<std::string>> connect_twice() {
  const auto shard = co_await asio::this_coro::executor;
  int connections = 0;
  auto serve = [&connections](tcp::socket client) {
    if (++connections == 1) throw std::bad_alloc();
    return greet(std::move(client));
  };
  const auto listener = SandboxListener::open(shard, 4, serve).value();
  tcp::acceptor inside(shard, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  EXPECT_TRUE(hand_over(listener->handover(), inside.native_handle()));
  const tcp::endpoint port = inside.local_endpoint();
  std::vector<std::string> received;
  for (int i = 0; i < 2; ++i) {
    auto reading = read_to_end(port);
    std::string text = co_await std::move(reading);
    received.push_back(std::move(text));
  }
  co_await listener->stop();
  co_return received;
}

TEST(SandboxListener, ServesTheNextConnectionAfterAFailure) {
  EXPECT_EQ(run_here(connect_twice()), (std::vector<std::string>{"", "hello"}));
}

}  // namespace
}  // namespace oriel
