#include "http/client_network.h"

#include "base/text/ascii.h"
#include "runtime/ip_address.h"

#include <boost/asio/ip/network_v6.hpp>

namespace oriel::http {
namespace {

constexpr unsigned short kHostNetworkBits = 64;

}  // namespace

bool is_loopback_host(std::string_view host) {
  const std::string name = lower_case(host);
  if (name == "localhost" || name.ends_with(".localhost")) return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code problem;
  const auto address = asio::ip::make_address(host, problem);
  return !problem && address.is_loopback();
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
