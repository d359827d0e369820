#pragma once
// A server's end, by hand: for tests of what the program says to a server that does as the test
// wants.

#include "deadline.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// Listens on a free port of loopback. Nothing is accepted or answered unless the test asks for it.
class Listener {
 public:
  Listener();
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // The next request, head and body, after it was answered so. Throws if none comes.
  std::string serve(std::string_view answer, Milliseconds within = kPatience);

  // Whether somebody has connected and was not served.
  bool has_caller(Milliseconds within = Milliseconds{0}) const;

 private:
  int socket_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace oriel
