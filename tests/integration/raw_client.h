#pragma once
// A plain connection to a port or a Unix socket of this machine.

#include "connection.h"

#include <netinet/in.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace oriel {

struct SocketOptions {
  int receive_buffer = 0;        // SO_RCVBUF; 0: the system's choice
  in_addr_t source_address = 0;  // of this end, as in sockaddr_in; 0: the system's choice
};

class RawClient : public Connection {
 public:
  // Throws Closed if nobody listens.
  explicit RawClient(std::uint16_t port, SocketOptions options = {});
  explicit RawClient(const std::filesystem::path& socket);
  ~RawClient() override;
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(std::string_view bytes) override;

  // As a browser does that goes away.
  void close();

  // Closes with a reset, as when a machine disappears.
  void reset();

  // "127.0.0.1:port" of this end of a TCP connection.
  std::string local_address() const;

  int fd() const { return fd_; }

 protected:
  std::optional<std::string> read_some(const Deadline& deadline) override;

 private:
  void connect_to(const void* address, std::size_t size);

  int fd_ = -1;
};

}  // namespace oriel
