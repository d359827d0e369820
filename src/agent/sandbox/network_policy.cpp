#include "agent/sandbox/network_policy.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "runtime/ip_address.h"

#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace oriel {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t kMaxHostBytes = 253;

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

// Asio stops at a NUL, and takes anything for the zone after a percent sign.
std::optional<ip::address> literal(const std::string& host) {
  const auto is_part = [](char c) { return is_host_character(c) || c == ':'; };
  if (!std::all_of(host.begin(), host.end(), is_part)) return std::nullopt;
  boost::system::error_code ec;
  const ip::address address = ip::make_address(host, ec);
  if (ec) return std::nullopt;
  return address;
}

bool is_host(const std::string& host, bool is_bracketed) {
  if (is_bracketed) {
    const auto address = literal(host);
    return address && address->is_v6();
  }
  return !host.empty() && host.size() <= kMaxHostBytes &&
         std::all_of(host.begin(), host.end(), is_host_character);
}

bool is_link_local(const ip::address& address) {
  if (address.is_v6()) return address.to_v6().is_link_local();
  return (address.to_v4().to_uint() >> 16) == 0xA9FE;  // 169.254.0.0/16
}

bool is_this_machine(const ip::address& address, const OwnAddresses& own) {
  const auto is_same = [&](const ip::address& ours) { return unmapped(ours) == address; };
  return address.is_loopback() || address.is_unspecified() ||
         std::any_of(own.interfaces.begin(), own.interfaces.end(), is_same);
}

}  // namespace

Result<HostPort> parse_host_port(std::string_view text, std::uint16_t default_port) {
  const Error bad{.kind = ErrorKind::kInvalidParameter,
                  .message = quote(text) + " is not HOST:PORT",
                  .hint = "write for example api.example.com:443"};
  const bool is_bracketed = text.starts_with('[');
  const std::size_t host_end =
      is_bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (host_end == text.npos) return bad;
  HostPort destination{.host = lower_case(text.substr(0, host_end)), .port = default_port};
  if (is_bracketed) destination.host.erase(0, 1);
  if (!is_host(destination.host, is_bracketed)) return bad;
  std::string_view rest = text.substr(host_end + (is_bracketed ? 1 : 0));
  if (rest.empty() && default_port != 0) return destination;
  if (!rest.starts_with(':')) return bad;
  rest.remove_prefix(1);
  const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), destination.port);
  if (ec != std::errc() || end != rest.data() + rest.size() || destination.port == 0) return bad;
  return destination;
}

std::string to_string(const HostPort& destination) {
  const bool is_v6 = destination.host.find(':') != std::string::npos;
  const std::string host = is_v6 ? "[" + destination.host + "]" : destination.host;
  return fmt::format("{}:{}", host, destination.port);
}

std::string to_string(const NetworkPolicy& policy) {
  if (policy.kind == NetworkKind::kFull) return "full";
  if (policy.kind == NetworkKind::kNone) return "none";
  std::vector<std::string> names;
  for (const HostPort& destination : policy.allowed)
    names.push_back(to_string(destination));
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_named(const NetworkPolicy& policy, const HostPort& wanted) {
  return std::find(policy.allowed.begin(), policy.allowed.end(), wanted) != policy.allowed.end();
}

bool may_connect(const NetworkPolicy& policy, const HostPort& wanted, const ip::address& address,
                 const OwnAddresses& own) {
  const ip::address real = unmapped(address);
  const bool is_here = is_this_machine(real, own);
  if (policy.kind == NetworkKind::kNone) return false;
  if (is_here && own.port != 0 && wanted.port == own.port) return false;
  const bool is_listed = policy.kind == NetworkKind::kList && is_named(policy, wanted);
  if (policy.kind == NetworkKind::kList && !is_listed) return false;
  if (!is_here && !is_link_local(real) && !real.is_multicast()) return true;
  return is_listed && (wanted.host == "localhost" || literal(wanted.host));
}

}  // namespace oriel
