#pragma once
// A parsed request as handlers receive it. A value, independent of the parser.

#include "base/error.h"
#include "base/principal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::http {

struct Request {
  std::string method;                                      // "GET"
  std::string target;                                      // as sent: "/api/events?types=a"
  std::string path;                                        // decoded, without query: "/api/events"
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order, repeats kept
  std::vector<std::pair<std::string, std::string>> headers;      // names in lower case
  std::vector<std::pair<std::string, std::string>> path_params;  // {name} of the route's pattern
  std::string body;
  std::string peer;                        // "127.0.0.1:50412"; over the Unix socket "unix:1000"
  std::optional<std::uint32_t> peer_user;  // who runs the client, if the kernel says so
  Principal principal;
  bool keep_alive = true;

  // The peer without its port or user: "127.0.0.1", "unix".
  std::string address() const { return peer.substr(0, peer.rfind(':')); }

  // The first header of that name (in lower case), or none.
  std::optional<std::string_view> header(std::string_view name) const;

  // The value of a route's {name}; empty if the pattern has no such name.
  std::string_view path_param(std::string_view name) const;
};

}  // namespace oriel::http
