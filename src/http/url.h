#pragma once
// The URL of a server: "http://127.0.0.1:7433", "https://oriel.example.org/behind/a/prefix".

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel::http {

struct Url {
  bool is_tls = false;
  std::string host;  // name or address; IPv6 without brackets
  std::uint16_t port = 80;
  std::string path;  // still encoded; empty, or "/..." without a trailing slash

  // The Host header: omits the default port of the scheme.
  std::string authority() const;

  // "http://127.0.0.1:7433": scheme and authority.
  std::string origin() const;

  bool operator==(const Url&) const = default;
};

// Rejects user names, queries and fragments.
Result<Url> parse_url(std::string_view text);

}  // namespace oriel::http
