#include "tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <strings.h>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void set_flag(int fd, int level, int option) {
  const int on = 1;
  if (setsockopt(fd, level, option, &on, sizeof on) != 0) fail("set a socket option");
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

void fail(const std::string& action) {
  throw std::system_error(errno, std::generic_category(), action);
}

Descriptor listen_on(std::uint16_t port) {
  Descriptor socket_fd(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket_fd.is_open()) fail("open a socket");
  set_flag(socket_fd.get(), SOL_SOCKET, SO_REUSEADDR);
  const sockaddr_in address = loopback(port);
  if (bind(socket_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket_fd.get(), SOMAXCONN) != 0)
    fail("listen on port " + std::to_string(port));
  return socket_fd;
}

Descriptor connect_to(std::uint16_t port) {
  Descriptor socket_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket_fd.is_open()) fail("open a socket (is the limit of open files too low?)");
  const sockaddr_in address = loopback(port);
  if (connect(socket_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("connect to port " + std::to_string(port));
  set_flag(socket_fd.get(), IPPROTO_TCP, TCP_NODELAY);
  // Closing resets the connection, so that thousands of them do not exhaust the local ports.
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  if (fcntl(socket_fd.get(), F_SETFL, O_NONBLOCK) != 0) fail("make a socket non-blocking");
  return socket_fd;
}

Descriptor make_epoll() {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) fail("create an epoll instance");
  return epoll;
}

void watch(const Descriptor& epoll, int fd, std::uint32_t events, std::uint64_t tag) {
  epoll_event event{.events = events, .data = {.u64 = tag}};
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0) fail("add to epoll");
}

void raise_file_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t content_length(std::string_view head) {
  constexpr std::string_view kName = "\r\ncontent-length:";
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;
       at = head.find("\r\n", at + 2)) {
    std::string_view line = head.substr(at);
    if (line.size() < kName.size() || strncasecmp(line.data(), kName.data(), kName.size()) != 0)
      continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::size_t length = 0;
    std::from_chars(line.data(), line.data() + line.size(), length);
    return length;
  }
  return 0;
}

}  // namespace oriel
