#pragma once
// Requests to the server on 127.0.0.1, one after another over one connection.

#include "tcp.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

class RestClient {
 public:
  explicit RestClient(std::uint16_t port);

  // The body of the answer; throws if it is a refusal, or none within 30 s.
  std::string get(const std::string& path);
  std::string post(const std::string& path, std::string_view body);

 private:
  std::string ask(const std::string& line, std::string_view body);

  std::string host_;
  Descriptor socket_;
};

}  // namespace oriel
