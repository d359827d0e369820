#include "verify/faulty_proxy.h"

#include "base/temp_directory_testing.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "posix/process_testing.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

#include <fstream>

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

}  // namespace
}  // namespace oriel
