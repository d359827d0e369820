#pragma once
// Sends one request over a connection and reads the response.

#include "tcp.h"

#include <string>

namespace oriel {

struct HttpAnswer {
  std::string head;  // status line and headers
  std::string body;
};

// Throws unless a successful response arrives within 30 s.
HttpAnswer http_exchange(const Descriptor& socket, const std::string& request);

}  // namespace oriel
