#include "fan_out_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    "Connection: close\r\n\r\n: hello\n\n";
constexpr std::string_view kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

// After a partial write the stream is unusable: ends the connection, which its next read reports.
void send_all(int fd, std::string_view bytes) {
  const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent > 0 && static_cast<std::size_t>(sent) < bytes.size()) shutdown(fd, SHUT_RDWR);
}

}  // namespace

FanOutServer::FanOutServer(std::uint16_t port, OnPost on_post)
    : on_post_(std::move(on_post)), listener_(listen_on(port)), epoll_(make_epoll()) {
  watch(epoll_, listener_.get(), EPOLLIN, static_cast<std::uint64_t>(listener_.get()));
}

void FanOutServer::run() {
  std::array<epoll_event, 64> ready{};
  for (;;) {
    const int count = epoll_wait(epoll_.get(), ready.data(), ready.size(), -1);
    for (int i = 0; i < count; ++i) {
      const auto fd = static_cast<int>(ready[static_cast<std::size_t>(i)].data.u64);
      if (fd == listener_.get())
        accept_one();
      else if (sources_.contains(fd))
        read_source(fd);
      else
        read_request(fd);
    }
  }
}

void FanOutServer::add_source(Descriptor source) {
  const int fd = source.get();
  watch(epoll_, fd, EPOLLIN, static_cast<std::uint64_t>(fd));
  sources_[fd] = std::move(source);
}

void FanOutServer::fan_out(std::string_view bytes) {
  for (const int watcher : watchers_)
    send_all(watcher, bytes);
}

void FanOutServer::accept_one() {
  Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.is_open()) return;
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const int fd = socket.get();
  watch(epoll_, fd, EPOLLIN, static_cast<std::uint64_t>(fd));
  connections_[fd] = {.socket = std::move(socket), .request = {}};
}

void FanOutServer::read_source(int fd) {
  const ssize_t size = read(fd, buffer_.data(), buffer_.size());
  if (size > 0)
    fan_out({buffer_.data(), static_cast<std::size_t>(size)});
  else
    sources_.erase(fd);
}

void FanOutServer::read_request(int fd) {
  const auto found = connections_.find(fd);
  if (found == connections_.end()) return;
  const ssize_t size = recv(fd, buffer_.data(), buffer_.size(), 0);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) {
    std::erase(watchers_, fd);
    connections_.erase(found);
    return;
  }
  found->second.request.append(buffer_.data(), static_cast<std::size_t>(size));
  handle(fd, found->second.request);
}

void FanOutServer::handle(int fd, std::string& request) {
  const std::size_t head = request.find("\r\n\r\n");
  if (head == std::string::npos) return;
  if (request.starts_with("GET ")) {
    send_all(fd, kStreamHead);
    watchers_.push_back(fd);
    request.clear();
    return;
  }
  const std::size_t length = content_length(std::string_view(request).substr(0, head));
  const std::string_view whole = std::string_view(request).substr(0, head + 4 + length);
  if (whole.size() < head + 4 + length) return;
  on_post_({.request = whole, .body = whole.substr(head + 4)});
  send_all(fd, kAccepted);
  request.clear();
}

std::uint16_t port_of(int argc, char** argv) {
  const std::string_view text = argc > 1 ? argv[1] : "";
  std::uint16_t port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port;
}

}  // namespace oriel
