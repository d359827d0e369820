#pragma once
// A service that publishes events, one after another on one connection.

#include "http_call.h"
#include "raw_client.h"

#include <cstdint>
#include <string>

namespace oriel {

struct Published {
  std::string id;
  std::uint64_t sequence = 0;
  std::uint64_t index = 0;
};

class Publisher {
 public:
  explicit Publisher(const ServerProcess& server) : connection_(server.port()) {}

  // Throws if the server does not accept the event.
  Published publish(std::string body);

  // {"type":"note"}, the smallest.
  Published publish_note() { return publish(R"({"type":"note"})"); }

  // An event of about that many bytes.
  Published publish_big(std::size_t bytes, std::string type = "big");

 private:
  RawClient connection_;
};

}  // namespace oriel
