#include "agent/sandbox/network_policy.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace ip = boost::asio::ip;

const OwnAddresses kOwnAddresses{
    .interfaces = {ip::make_address("192.0.2.7"), ip::make_address("2001:db8::7")}, .port = 7433};
const NetworkPolicy kFull;
const NetworkPolicy kNone{.kind = NetworkKind::kNone, .allowed = {}};

NetworkPolicy list(std::vector<HostPort> allowed) {
  return {.kind = NetworkKind::kList, .allowed = std::move(allowed)};
}

bool may(const NetworkPolicy& policy, const std::string& wanted, const std::string& address) {
  return may_connect(policy, parse_host_port(wanted).value(), ip::make_address(address),
                     kOwnAddresses);
}

TEST(HostPort, IsANameOrAnAddressWithAPort) {
  EXPECT_EQ(parse_host_port("API.example.com:443").value(), (HostPort{"api.example.com", 443}));
  EXPECT_EQ(parse_host_port("127.0.0.1:1").value(), (HostPort{"127.0.0.1", 1}));
  EXPECT_EQ(parse_host_port("[::1]:65535").value(), (HostPort{"::1", 65535}));
  EXPECT_EQ(parse_host_port("h", 80).value(), (HostPort{"h", 80}));
  EXPECT_EQ(parse_host_port("h:81", 80).value(), (HostPort{"h", 81}));
  EXPECT_EQ(to_string(HostPort{"::1", 80}), "[::1]:80");
}

TEST(HostPort, NothingElseIs) {
  for (const char* text :
       {"", ":", "h", "h:", "h:0", "h:65536", "h:1x", "h:-1", "a b:1", "a@b:1", "::1:80", "[::1]",
        "[::1]80", "[h]:80", "[::1:80", "h\n:1", "h/:1", ":80", "[::1%lo]:80"})
    EXPECT_FALSE(parse_host_port(text)) << text;
  EXPECT_FALSE(parse_host_port(std::string("[::\0.example.org]:80", 20)));
  EXPECT_FALSE(parse_host_port(std::string(254, 'a') + ":1"));
}

TEST(NetworkPolicy, FullReachesOtherMachines) {
  EXPECT_TRUE(may(kFull, "api.example.com:443", "198.51.100.1"));
  EXPECT_TRUE(may(kFull, "intranet:80", "10.0.0.1"));
  EXPECT_TRUE(may(kFull, "api.example.com:443", "2001:db8::1"));
}

TEST(NetworkPolicy, NoneReachesNothing) {
  EXPECT_FALSE(may(kNone, "api.example.com:443", "198.51.100.1"));
}

TEST(NetworkPolicy, AListReachesWhatItNamesOnThatPort) {
  const NetworkPolicy policy = list({{"api.example.com", 443}});
  EXPECT_TRUE(may(policy, "API.Example.com:443", "198.51.100.1"));
  EXPECT_FALSE(may(policy, "api.example.com:80", "198.51.100.1"));
  EXPECT_FALSE(may(policy, "evil.example.com:443", "198.51.100.1"));
}

TEST(NetworkPolicy, ThisMachineIsOutOfReachByWhateverName) {
  for (const char* address :
       {"127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1", "192.0.2.7",
        "::ffff:192.0.2.7", "2001:db8::7", "169.254.169.254", "fe80::1", "224.0.0.1", "ff02::1"}) {
    EXPECT_FALSE(may(kFull, "rebound.example.com:443", address)) << address;
    EXPECT_FALSE(may(list({{"rebound.example.com", 443}}), "rebound.example.com:443", address))
        << address;
  }
}

TEST(NetworkPolicy, AListMayNameAServiceOfThisMachine) {
  EXPECT_TRUE(may(list({{"127.0.0.1", 8080}}), "127.0.0.1:8080", "127.0.0.1"));
  EXPECT_TRUE(may(list({{"localhost", 8080}}), "localhost:8080", "::1"));
  EXPECT_TRUE(may(list({{"::1", 8080}}), "[::1]:8080", "::1"));
}

TEST(NetworkPolicy, OrielIsOutOfReachEvenIfTheListNamesIt) {
  EXPECT_FALSE(may(list({{"127.0.0.1", 7433}}), "127.0.0.1:7433", "127.0.0.1"));
  EXPECT_FALSE(may(list({{"192.0.2.7", 7433}}), "192.0.2.7:7433", "192.0.2.7"));
  EXPECT_TRUE(may(kFull, "other.example.com:7433", "198.51.100.1"));
}

}  // namespace
}  // namespace oriel
