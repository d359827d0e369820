#include "auth/origin_guard.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace oriel {
namespace {

namespace ip = boost::asio::ip;

struct Authority {
  std::string host;  // in lower case; an IPv6 address in brackets
  std::optional<std::uint16_t> port;
};

bool is_host_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

// A DNS name or an IPv4 address: labels joined by single dots.
bool is_host_name(std::string_view host) {
  return !host.empty() && host.size() <= 253 && host.front() != '.' && host.back() != '.' &&
         host.find("..") == std::string_view::npos &&
         std::all_of(host.begin(), host.end(), is_host_char);
}

std::optional<std::string> parse_ipv6(std::string_view text) {
  if (text.find('%') != std::string_view::npos)
    return std::nullopt;  // zones mean nothing to a server
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

// "host", "host:port", "[v6]" or "[v6]:port"; none for anything else.
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

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host.ends_with(".localhost") || host == "[::1]") return true;
  boost::system::error_code ec;
  const auto address = ip::make_address_v4(host, ec);
  return !ec && address.is_loopback();
}

// "host", or "host:port" where the port is not the scheme's own.
std::string without_default_port(const Authority& authority, std::string_view scheme) {
  const std::uint16_t default_port = scheme == "https" ? 443 : 80;
  if (!authority.port || *authority.port == default_port) return authority.host;
  return authority.host + ":" + std::to_string(*authority.port);
}

struct WebOrigin {
  std::string scheme;
  Authority authority;

  std::string host() const { return without_default_port(authority, scheme); }
};

// "http://host:port", as browsers send it.
std::optional<WebOrigin> parse_origin(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string scheme = lower_case(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const auto authority = parse_authority(text.substr(colon + 3));
  if (!authority) return std::nullopt;
  return WebOrigin{.scheme = scheme, .authority = *authority};
}

constexpr const char* kHint =
    "use a loopback name such as localhost, or start the server with --public-url set to the URL "
    "that people open";

Error bad_host(const std::string& message) {
  return {.kind = ErrorKind::kBadHost,
          .message = message,
          .hint = "send one Host header: a name or address, with its port"};
}

}  // namespace

OriginGuard::OriginGuard(const std::string& public_url) {
  if (public_url.empty()) return;
  std::string_view text = public_url;
  if (text.ends_with('/')) text.remove_suffix(1);
  const auto origin = parse_origin(text);
  if (!origin) {
    throw std::invalid_argument(
        "the public URL " + quote(public_url) +
        " is not one: write http://HOST or https://HOST, with :PORT if need be and no path");
  }
  public_host_ = origin->host();
  public_origin_ = origin->scheme + "://" + public_host_;
}

Result<void> OriginGuard::check(const http::Request& request) const {
  const auto host = request.header("host");
  if (!host) return bad_host("the request has no Host header");
  const auto authority = parse_authority(*host);
  if (!authority) return bad_host("the Host " + quote(*host) + " is malformed");

  const std::string_view public_scheme =
      std::string_view(public_origin_).substr(0, public_origin_.find(':'));
  const bool is_ours =
      is_loopback(authority->host) ||
      (!public_host_.empty() && without_default_port(*authority, public_scheme) == public_host_);
  if (!is_ours) {
    return Error{.kind = ErrorKind::kForeignHost,
                 .message = "the Host " + quote(*host) + " is not a name of this server",
                 .hint = kHint};
  }

  const auto origin_header = request.header("origin");
  if (!origin_header) return {};
  const auto origin = parse_origin(*origin_header);
  const bool may_ask =
      origin &&
      (is_loopback(origin->authority.host) ||
       (!public_origin_.empty() && origin->scheme + "://" + origin->host() == public_origin_));
  if (may_ask) return {};
  return Error{.kind = ErrorKind::kForeignOrigin,
               .message = "a page from " + quote(*origin_header) + " may not use this server",
               .hint = kHint};
}

}  // namespace oriel
