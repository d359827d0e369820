#include "listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

bool is_readable(int fd, Milliseconds within) {
  pollfd waited{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&waited, 1, static_cast<int>(within.count())) == 1;
}

// Bytes of the whole request, according to its head.
std::size_t length_of(const std::string& request) {
  const std::size_t end = request.find("\r\n\r\n");
  if (end == request.npos) return request.size() + 1;
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t header = request.find(kLength);
  const bool has_body = header < end;
  return end + 4 + (has_body ? std::stoul(request.substr(header + kLength.size())) : 0);
}

}  // namespace

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_, name, size) != 0 || ::listen(socket_, 16) != 0 ||
      ::getsockname(socket_, name, &size) != 0) {
    throw std::runtime_error("cannot listen");
  }
  port_ = ntohs(address.sin_port);
}

Listener::~Listener() {
  ::close(socket_);
}

std::string Listener::serve(std::string_view answer, Milliseconds within) {
  if (!is_readable(socket_, within)) throw std::runtime_error("nobody connects");
  const int caller = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  std::string request;
  std::array<char, 4096> buffer;
  while (request.size() < length_of(request)) {
    const ssize_t count =
        is_readable(caller, within) ? ::read(caller, buffer.data(), buffer.size()) : 0;
    if (count <= 0) {
      ::close(caller);
      throw std::runtime_error("only a part of a request comes: " + request);
    }
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::send(caller, answer.data(), answer.size(), MSG_NOSIGNAL);
  ::close(caller);
  return request;
}

bool Listener::has_caller(Milliseconds within) const {
  return is_readable(socket_, within);
}

}  // namespace oriel
