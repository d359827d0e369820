#pragma once
// The destinations that an agent in a sandbox may reach. Pure.

#include "base/error.h"

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct HostPort {
  std::string host;  // in lower case; a name or an address, IPv6 without brackets
  std::uint16_t port = 0;

  bool operator==(const HostPort&) const = default;
};

// Parses "api.example.com:443" and "[::1]:80". If `default_port` is 0, the text must name a port.
Result<HostPort> parse_host_port(std::string_view text, std::uint16_t default_port = 0);

// "api.example.com:443".
std::string to_string(const HostPort& destination);

enum class NetworkKind { kFull, kNone, kList };

struct NetworkPolicy {
  NetworkKind kind = NetworkKind::kFull;
  std::vector<HostPort> allowed;  // for kList

  bool operator==(const NetworkPolicy&) const = default;
};

// "full", "none", or the list.
std::string to_string(const NetworkPolicy& policy);

// The addresses of this machine and the port of Oriel.
struct OwnAddresses {
  std::vector<boost::asio::ip::address> interfaces;
  std::uint16_t port = 0;  // of Oriel's listener; 0: none
};

// Whether the policy names the destination.
bool is_named(const NetworkPolicy& policy, const HostPort& wanted);

// Whether `address`, resolved from `wanted`, is allowed. Oriel never is. Local, link-local and
// multicast addresses need "localhost" or the address in the list, because the operator does not
// control DNS.
bool may_connect(const NetworkPolicy& policy, const HostPort& wanted,
                 const boost::asio::ip::address& address, const OwnAddresses& own);

}  // namespace oriel
