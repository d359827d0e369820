#include "posix/service/service_manager.h"

#include "base/temp_directory_testing.h"
#include "runtime/asio.h"

#include <boost/asio/local/datagram_protocol.hpp>
#include <gtest/gtest.h>

#include <array>

namespace oriel {
namespace {

class ServiceManagerTest : public testing::Test {
 protected:
  std::string next_report() {
    std::array<char, 256> bytes{};
    const std::size_t size = manager_.receive(asio::buffer(bytes));
    return {bytes.data(), size};
  }

  void listen(const std::string& name) {
    manager_.open();
    manager_.bind(asio::local::datagram_protocol::endpoint(name));
  }

  asio::io_context io_;
  asio::local::datagram_protocol::socket manager_{io_};
  TempDirectory directory_;
};

TEST_F(ServiceManagerTest, GetsEachState) {
  const std::string path = (directory_ / "notify").string();
  listen(path);
  const ServiceManager manager(path);
  manager.ready();
  EXPECT_EQ(next_report(), "READY=1");
  manager.reloading(std::chrono::microseconds(7));
  EXPECT_EQ(next_report(), "RELOADING=1\nMONOTONIC_USEC=7");
  manager.stopping();
  EXPECT_EQ(next_report(), "STOPPING=1");
}

TEST_F(ServiceManagerTest, MayHaveAnAbstractSocket) {
  const std::string name = "oriel-test-" + directory_.path().filename().string();
  listen('\0' + name);
  ServiceManager("@" + name).ready();
  EXPECT_EQ(next_report(), "READY=1");
}

TEST_F(ServiceManagerTest, MayBeAbsent) {
  ServiceManager("").ready();
  ServiceManager((directory_ / "missing").string()).ready();
  ServiceManager(std::string(200, 'x')).ready();
}

}  // namespace
}  // namespace oriel
