#include "http/client_network.h"

#include "runtime/ip_address.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

std::string network_of(const char* address) {
  return client_network(asio::ip::make_address(address));
}

TEST(ClientNetwork, IsTheAddressOfAnIpv4Host) {
  EXPECT_EQ(network_of("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(network_of("::ffff:192.0.2.1"), "192.0.2.1");
}

TEST(ClientNetwork, IsTheNetworkOfAnIpv6Host) {
  EXPECT_EQ(network_of("2001:db8:0:1::1"), "2001:db8:0:1::/64");
  EXPECT_EQ(network_of("2001:db8:0:1:ffff::2"), network_of("2001:db8:0:1::1"));
  EXPECT_NE(network_of("2001:db8:0:2::1"), network_of("2001:db8:0:1::1"));
}

TEST(ClientNetwork, IsTheAddressOfAHostOnTheSameLink) {
  EXPECT_NE(network_of("fe80::1"), network_of("fe80::2"));
}

TEST(ClientNetwork, IsEmptyForThisMachineWhereAProxyMaySit) {
  for (const char* address : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_EQ(network_of(address), "") << address;
    EXPECT_TRUE(is_loopback(asio::ip::make_address(address))) << address;
  }
  EXPECT_FALSE(is_loopback(asio::ip::make_address("192.0.2.1")));
}

TEST(ClientKey, IsTheUserOnThisMachineUnlessItIsTheServersOwn) {
  const auto key = [](const char* address, std::optional<std::uint32_t> user) {
    return client_key(asio::ip::make_address(address), user, 1000);
  };
  EXPECT_EQ(key("127.0.0.1", 1000), "");
  EXPECT_EQ(key("127.0.0.1", 1001), "user 1001");
  EXPECT_EQ(key("::1", 0), "user 0");
  EXPECT_EQ(key("127.0.0.1", std::nullopt), "");
  EXPECT_EQ(key("192.0.2.1", std::nullopt), "192.0.2.1");
}

TEST(ClientKey, SandboxesAreNotTheServersOwnUser) {
  const auto is_own = [](const char* address, std::optional<std::uint32_t> user) {
    return is_own_user(asio::ip::make_address(address), user, 1000);
  };
  EXPECT_TRUE(is_own("127.0.0.1", 1000));
  EXPECT_TRUE(is_own("::ffff:127.0.0.1", 1000));
  EXPECT_TRUE(is_own("::1", 1000));
  EXPECT_FALSE(is_own("127.0.0.2", 1000));
  EXPECT_FALSE(is_own("127.0.0.1", 1001));
  EXPECT_FALSE(is_own("127.0.0.1", std::nullopt));
  EXPECT_FALSE(is_own("192.0.2.1", 1000));
}

TEST(IsLoopbackHost, KnowsNamesAndAddresses) {
  for (const char* host : {"localhost", "LocalHost", "shop.localhost", "127.0.0.1", "::1", "[::1]"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
  for (const char* host :
       {"", "[", "[]", "notlocalhost", "127.evil.example", "localhost.example.org", "192.0.2.1",
        "0.0.0.0", "[::]", "127.1", "[::ffff:127.0.0.1]"})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

}  // namespace
}  // namespace oriel::http
