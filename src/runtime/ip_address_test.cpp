#include "runtime/ip_address.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using asio::ip::make_address;

TEST(IpAddress, AnIpv4AddressInIpv6FormIsUnmapped) {
  EXPECT_EQ(unmapped(make_address("::ffff:192.0.2.1")), make_address("192.0.2.1"));
  EXPECT_EQ(unmapped(make_address("192.0.2.1")), make_address("192.0.2.1"));
  EXPECT_EQ(unmapped(make_address("2001:db8::1")), make_address("2001:db8::1"));
}

TEST(IpAddress, LoopbackIsRecognizedInEveryForm) {
  for (const char* address : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(make_address(address))) << address;
  for (const char* address : {"192.0.2.1", "0.0.0.0", "::", "::ffff:192.0.2.1"})
    EXPECT_FALSE(is_loopback(make_address(address))) << address;
}

}  // namespace
}  // namespace oriel
