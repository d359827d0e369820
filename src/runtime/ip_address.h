#pragma once
// IP addresses in one form. Pure.

#include "runtime/asio.h"

#include <boost/asio/ip/address.hpp>

namespace oriel {

// An IPv4 address that is written as IPv6, "::ffff:192.0.2.1", as IPv4; others unchanged.
asio::ip::address unmapped(const asio::ip::address& address);

// In either form.
bool is_loopback(const asio::ip::address& address);

}  // namespace oriel
