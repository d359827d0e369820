#include "verify/faulty_proxy.h"

#include "base/temp_directory_testing.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "posix/process_testing.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <utility>
#include <vector>

namespace oriel {
namespace {

using asio::ip::tcp;

constexpr int kConnections = 20;

// Opens connections one after another; each is closed, because nothing is behind the proxy.
asio::awaitable<void> connect_often(std::uint64_t seed, std::filesystem::path log_file) {
  const auto shard = co_await asio::this_coro::executor;
  FaultLog log(log_file);
  FaultyProxy proxy(shard, seed, log);
  proxy.start();
  const tcp::endpoint port(asio::ip::address_v4::loopback(), proxy.port());
  for (int i = 0; i < kConnections; ++i) {
    tcp::socket client(shard);
    co_await client.async_connect(port, asio::use_awaitable);
    char byte = 0;
    const auto space = asio::buffer(&byte, 1);
    co_await client.async_read_some(space, kNoThrow);
  }
  co_await proxy.stop();
}

// The faults as the log has them, without their times.
std::vector<std::string> faults_of(std::uint64_t seed) {
  const TempDirectory directory;
  run_here(connect_often(seed, directory / "log"));
  std::ifstream file(directory / "log");
  std::vector<std::string> faults;
  for (std::string line; std::getline(file, line);) {
    boost::json::object fault = parse_object(line);
    EXPECT_EQ(fault.erase("at_ms"), 1U) << line;
    faults.push_back(json_text(fault));
  }
  return faults;
}

TEST(FaultyProxy, ASeedDecidesTheFaultOfEachConnectionAndTheLogHasThem) {
  const std::vector<std::string> faults = faults_of(1);
  EXPECT_EQ(faults.size(), kConnections);
  EXPECT_EQ(faults_of(1), faults);
  EXPECT_NE(faults_of(2), faults);
  EXPECT_NE(faults.front().find(R"("connection":1)"), std::string::npos);
}

// Accepts a connection that waits, and closes it. 0: there is none.
int accept_now(tcp::acceptor& acceptor) {
  tcp::socket socket(acceptor.get_executor());
  error_code nothing;
  acceptor.accept(socket, nothing);
  return nothing ? 0 : 1;
}

// How many of the connections through the proxy reach each of two servers.
asio::awaitable<std::pair<int, int>> connect_to_two() {
  const auto shard = co_await asio::this_coro::executor;
  FaultLog log{std::filesystem::path()};
  FaultyProxy proxy(shard, 1, log);
  proxy.calm_down();
  const tcp::endpoint any(asio::ip::address_v4::loopback(), 0);
  tcp::acceptor one(shard, any);
  tcp::acceptor two(shard, any);
  proxy.set_targets({one.local_endpoint().port(), two.local_endpoint().port()});
  proxy.start();
  const tcp::endpoint port(asio::ip::address_v4::loopback(), proxy.port());
  std::pair<int, int> reached;
  std::vector<tcp::socket> clients;
  one.non_blocking(true);
  two.non_blocking(true);
  while (reached.first + reached.second < kConnections) {
    if (clients.size() < kConnections) {
      clients.emplace_back(shard);
      co_await clients.back().async_connect(port, asio::use_awaitable);
    }
    asio::steady_timer timer(shard, std::chrono::milliseconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    reached.first += accept_now(one);
    reached.second += accept_now(two);
  }
  clients.clear();
  co_await proxy.stop();
  co_return reached;
}

TEST(FaultyProxy, ConnectionsGoToOneOfItsTargetsAtRandom) {
  const std::pair<int, int> reached = run_here(connect_to_two());
  EXPECT_GT(reached.first, 0);
  EXPECT_GT(reached.second, 0);
}

}  // namespace
}  // namespace oriel
