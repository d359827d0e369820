#pragma once
// Sockets of the benchmark programs.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace oriel {

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;

  explicit Descriptor(int fd) : fd_(fd) {}

  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~Descriptor() { reset(); }

  int get() const { return fd_; }

  bool is_open() const { return fd_ >= 0; }

  void reset();

 private:
  int fd_ = -1;
};

// Throws an error with `action` and the message of errno.
[[noreturn]] void fail(const std::string& action);

// All addresses are 127.0.0.1. Sockets are non-blocking with TCP_NODELAY.
Descriptor listen_on(std::uint16_t port);
Descriptor connect_to(std::uint16_t port);
Descriptor make_epoll();
void watch(const Descriptor& epoll, int fd, std::uint32_t events, std::uint64_t tag);

// Raises the limit of open files to the hard limit.
void raise_file_limit();

// The Content-Length in an HTTP head; 0 if absent.
std::size_t content_length(std::string_view head);

}  // namespace oriel
