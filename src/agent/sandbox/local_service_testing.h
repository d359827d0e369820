#pragma once
// For tests of the network access of a sandbox.

#include "posix/file_descriptor.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

namespace oriel {

// A service of this machine: answers every connection with one HTTP response.
class LocalService {
 public:
  LocalService() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;  // on all addresses
    socklen_t size = sizeof address;
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(socket_.get(), 16) != 0 ||
        ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("cannot listen");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }

  ~LocalService() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    thread_.join();
  }

  LocalService(const LocalService&) = delete;
  LocalService& operator=(const LocalService&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    for (;;) {
      const FileDescriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!client) return;
      char head[4096];
      const ssize_t size = ::recv(client.get(), head, sizeof head, 0);
      const std::string answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nreached\n";
      if (size > 0) ::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }

  FileDescriptor socket_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace oriel
