#include "http/authority.h"

#include "base/text/ascii.h"

#include <boost/asio/ip/address_v6.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <charconv>

namespace oriel::http {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t kMaxHostName = 253;

std::optional<std::string> parse_ipv6(std::string_view text) {
  // Asio stops at a NUL, and takes anything for a zone, which means nothing to a server.
  if (text.find_first_of(std::string_view("%\0", 2)) != std::string_view::npos) return std::nullopt;
  boost::system::error_code ec;
  const auto address = ip::make_address_v6(text, ec);
  if (ec) return std::nullopt;
  return "[" + address.to_string() + "]";
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || after != end || port == 0) return std::nullopt;
  return port;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority result;
  std::size_t host_size = std::min(text.find(':'), text.size());
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return std::nullopt;
    const auto address = parse_ipv6(text.substr(1, bracket - 1));
    if (!address) return std::nullopt;
    result.host = *address;
    host_size = bracket + 1;
  } else {
    result.host = lower_case(text.substr(0, host_size));
    if (!is_host_name(result.host)) return std::nullopt;
  }
  text.remove_prefix(host_size);
  if (text.empty()) return result;
  if (text.front() != ':') return std::nullopt;
  result.port = parse_port(text.substr(1));
  if (!result.port) return std::nullopt;
  return result;
}

bool is_host_name(std::string_view host) {
  const auto is_host_char = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !host.empty() && host.size() <= kMaxHostName && host.front() != '.' &&
         host.back() != '.' && host.find("..") == host.npos &&
         std::all_of(host.begin(), host.end(), is_host_char);
}

}  // namespace oriel::http
