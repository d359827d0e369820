#include "http/client_network.h"

#include <boost/asio/ip/network_v6.hpp>

namespace oriel::http {
namespace {

constexpr unsigned short kHostNetworkBits = 64;

asio::ip::address unmapped(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  return address;
}

}  // namespace

bool is_loopback(const asio::ip::address& address) {
  return unmapped(address).is_loopback();
}

std::string client_network(const asio::ip::address& address) {
  const asio::ip::address plain = unmapped(address);
  if (plain.is_loopback()) return {};
  // All hosts of a link share the network of link-local addresses.
  if (plain.is_v4() || plain.to_v6().is_link_local()) return plain.to_string();
  return asio::ip::make_network_v6(plain.to_v6(), kHostNetworkBits).canonical().to_string();
}

std::string client_key(const asio::ip::address& address, std::optional<std::uint32_t> user,
                       std::uint32_t server_user) {
  if (!is_loopback(address) || !user || *user == server_user) return client_network(address);
  return "user " + std::to_string(*user);
}

bool is_own_user(const asio::ip::address& address, std::optional<std::uint32_t> user,
                 std::uint32_t server_user) {
  const asio::ip::address plain = unmapped(address);
  const bool is_usual =
      plain == asio::ip::address_v4::loopback() || plain == asio::ip::address_v6::loopback();
  return is_usual && user == server_user;
}

}  // namespace oriel::http
