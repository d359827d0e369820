#include "raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace oriel {
namespace {

bool is_ready(int fd, short events, const Deadline& deadline) {
  pollfd entry{.fd = fd, .events = events, .revents = 0};
  while (true) {
    const int ready = poll(&entry, 1, static_cast<int>(deadline.left().count()));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace

RawClient::RawClient(std::uint16_t port, SocketOptions options)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (fd_ < 0) throw std::runtime_error("no socket");
  if (options.receive_buffer > 0) {
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer, sizeof(int));
  }
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (options.source_address != 0) {
    sockaddr_in source{};
    source.sin_family = AF_INET;
    source.sin_addr.s_addr = options.source_address;
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&source), sizeof source) != 0)
      throw std::runtime_error("cannot use the source address");
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect_to(&address, sizeof address);
}

RawClient::RawClient(const std::filesystem::path& socket)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (fd_ < 0) throw std::runtime_error("no socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
  connect_to(&address, sizeof address);
}

RawClient::~RawClient() {
  close();
}

void RawClient::connect_to(const void* address, std::size_t size) {
  const auto* const generic = static_cast<const sockaddr*>(address);
  if (connect(fd_, generic, static_cast<socklen_t>(size)) == 0) return;
  const std::string reason = std::strerror(errno);
  close();
  throw Closed("cannot connect: " + reason);
}

void RawClient::send(std::string_view bytes) {
  const Deadline deadline(kPatience);
  while (!bytes.empty()) {
    if (!is_ready(fd_, POLLOUT, deadline)) throw TimedOut("the peer does not take the bytes");
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR) {
      throw Closed(std::string("cannot send: ") + std::strerror(errno));
    }
  }
}

std::optional<std::string> RawClient::read_some(const Deadline& deadline) {
  if (!is_ready(fd_, POLLIN, deadline)) return std::nullopt;
  std::string bytes(64 << 10, '\0');
  const ssize_t count = recv(fd_, bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

void RawClient::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void RawClient::reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

std::string RawClient::local_address() const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
  return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

}  // namespace oriel
