#pragma once
// One request over a connection to the server, and its answer.

#include "tcp.h"

#include <string>

namespace oriel {

struct HttpAnswer {
  std::string head;  // status line and headers
  std::string body;
};

// Throws if the answer is no success, or none within 30 s.
HttpAnswer http_exchange(const Descriptor& socket, const std::string& request);

}  // namespace oriel
