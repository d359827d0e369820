#include "http_exchange.h"

#include <sys/poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace oriel {
namespace {

constexpr int kLimitMs = 30'000;

}  // namespace

HttpAnswer http_exchange(const Descriptor& socket, const std::string& request) {
  const std::string line = request.substr(0, request.find("\r\n"));
  if (send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size()))
    fail("send " + line);
  std::string answer;
  std::size_t head = std::string::npos;
  std::size_t whole = 0;
  std::array<char, 64 << 10> buffer;
  while (head == std::string::npos || answer.size() < whole) {
    pollfd ready{.fd = socket.get(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, kLimitMs) == 0) throw std::runtime_error("no answer in 30 s: " + line);
    const ssize_t size = recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN) continue;
    if (size <= 0) throw std::runtime_error("the server closed the connection: " + line);
    answer.append(buffer.data(), static_cast<std::size_t>(size));
    if (head != std::string::npos) continue;
    head = answer.find("\r\n\r\n");
    if (head != std::string::npos)
      whole = head + 4 + content_length(std::string_view(answer).substr(0, head));
  }
  if (answer.compare(8, 2, " 2") != 0) throw std::runtime_error(line + ": " + answer);
  return {.head = answer.substr(0, head), .body = answer.substr(head + 4)};
}

}  // namespace oriel
