#pragma once
// The head of a request to the sandbox's proxy. Pure.

#include "agent/sandbox/network_policy.h"

#include <string>
#include <string_view>

namespace oriel {

struct ProxyRequest {
  HostPort destination;
  std::string forwarded;  // the head to forward; empty for CONNECT
};

// Parses a head that ends with an empty line: "CONNECT host:port", or any method with an http://
// URL. A forwarded request asks the server to close the connection, so that no request for another
// host can follow.
Result<ProxyRequest> parse_proxy_head(std::string_view head);

}  // namespace oriel
