#pragma once
// Sends requests to a server on 127.0.0.1, one after another over one connection.

#include "tcp.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

class RestClient {
 public:
  explicit RestClient(std::uint16_t port);

  // Returns the body of the response; throws unless it is successful and arrives within 30 s.
  std::string get(const std::string& path);
  std::string post(const std::string& path, std::string_view body);

 private:
  std::string ask(const std::string& line, std::string_view body);

  std::string host_;
  Descriptor socket_;
};

}  // namespace oriel
