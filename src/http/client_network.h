#pragma once
// The key of a connection for limits per address. Pure.

#include "runtime/asio.h"

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::http {

// "localhost" in any case, a name below it, or a loopback address, with or without brackets.
// Rejects IPv4 in IPv6 form, which no client needs to write.
bool is_loopback_host(std::string_view host);

// An IPv4 address, "192.0.2.1", or the network of an IPv6 address, "2001:db8:0:1::/64", because one
// host can take any address in it. Empty for loopback.
std::string client_network(const asio::ip::address& address);

// The same, but "user 1001" for another user of this machine. Empty, which has no limit, for the
// server's own user, who may run a proxy, and for an unknown user.
std::string client_key(const asio::ip::address& address, std::optional<std::uint32_t> user,
                       std::uint32_t server_user);

// Whether the connection is the server's own user's. Sandboxes connect from other loopback
// addresses.
bool is_own_user(const asio::ip::address& address, std::optional<std::uint32_t> user,
                 std::uint32_t server_user);

}  // namespace oriel::http
