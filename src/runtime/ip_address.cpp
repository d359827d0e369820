#include "runtime/ip_address.h"

namespace oriel {

asio::ip::address unmapped(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  return address;
}

bool is_loopback(const asio::ip::address& address) {
  return unmapped(address).is_loopback();
}

}  // namespace oriel
