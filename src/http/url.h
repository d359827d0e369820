#pragma once
// Where a server is: "http://127.0.0.1:7433", "https://oriel.example.org/behind/a/prefix".

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel::http {

struct Url {
  bool is_tls = false;
  std::string host;  // a name or an address, an IPv6 address without brackets
  std::uint16_t port = 80;
  std::string path;  // as written, still encoded; empty or "/..." without a slash at its end

  // What a Host header says: the port is left out when it is the scheme's own.
  std::string authority() const;

  // "http://127.0.0.1:7433": scheme and authority.
  std::string origin() const;

  bool operator==(const Url&) const = default;
};

// Total: an error says what is wrong with `text`. No user name, query or fragment is allowed.
Result<Url> parse_url(std::string_view text);

}  // namespace oriel::http
