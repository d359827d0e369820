#pragma once
// The host and port of a URL or of a Host header.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::http {

struct Authority {
  std::string host;  // in lower case; an IPv6 address in brackets
  std::optional<std::uint16_t> port;
};

// Reads "host", "host:port", "[v6]" or "[v6]:port"; none for anything else.
std::optional<Authority> parse_authority(std::string_view text);

// A DNS name or an IPv4 address: labels joined by single dots, without escapes or other characters
// that must not reach a Host header.
bool is_host_name(std::string_view host);

}  // namespace oriel::http
