#pragma once
// A plain TCP connection to a port of this machine.

#include "connection.h"

#include <cstdint>
#include <string>

namespace oriel {

struct SocketOptions {
  int receive_buffer = 0;  // SO_RCVBUF; 0: the system's choice
};

class RawClient : public Connection {
 public:
  // Throws Closed if nobody listens.
  explicit RawClient(std::uint16_t port, SocketOptions options = {});
  ~RawClient() override;
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(std::string_view bytes) override;

  // As a browser does that goes away.
  void close();

  // With a reset instead of a farewell, as when a machine vanishes and its peer is told so.
  void reset();

  // "127.0.0.1:port" of this end.
  std::string local_address() const;

  int fd() const { return fd_; }

 protected:
  std::optional<std::string> read_some(const Deadline& deadline) override;

 private:
  int fd_ = -1;
};

}  // namespace oriel
