// The physical limit of fan-out with one system call per watcher: one thread, no queue, no filter,
// no history. Every POSTed body becomes one frame, and every GET connection gets it by exactly one
// send(). A watcher whose socket is full misses the event.

#include "tcp.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <iostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel {
namespace {

constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    "Connection: close\r\n\r\n: hello\n\n";
constexpr std::string_view kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

class MinimalServer {
 public:
  explicit MinimalServer(std::uint16_t port) : listener_(listen_on(port)), epoll_(make_epoll()) {
    watch(epoll_, listener_.get(), EPOLLIN, static_cast<std::uint64_t>(listener_.get()));
  }

  void run() {
    std::array<epoll_event, 64> ready{};
    for (;;) {
      const int count = epoll_wait(epoll_.get(), ready.data(), ready.size(), -1);
      for (int i = 0; i < count; ++i) {
        const auto fd = static_cast<int>(ready[static_cast<std::size_t>(i)].data.u64);
        if (fd == listener_.get())
          accept_one();
        else
          read_from(fd);
      }
    }
  }

 private:
  struct Connection {
    Descriptor socket;
    std::string request;
  };

  void accept_one() {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.is_open()) return;
    const int on = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int fd = socket.get();
    watch(epoll_, fd, EPOLLIN, static_cast<std::uint64_t>(fd));
    connections_[fd] = {.socket = std::move(socket), .request = {}};
  }

  void read_from(int fd) {
    const auto found = connections_.find(fd);
    if (found == connections_.end()) return;
    std::array<char, 4096> buffer{};
    const ssize_t size = recv(fd, buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) {
      std::erase(watchers_, fd);
      connections_.erase(found);
      return;
    }
    found->second.request.append(buffer.data(), static_cast<std::size_t>(size));
    handle(fd, found->second.request);
  }

  void handle(int fd, std::string& request) {
    const std::size_t head = request.find("\r\n\r\n");
    if (head == std::string::npos) return;
    if (request.starts_with("GET ")) {
      send_all(fd, kStreamHead);
      watchers_.push_back(fd);
      request.clear();
      return;
    }
    const std::size_t length = content_length(std::string_view(request).substr(0, head));
    if (request.size() < head + 4 + length) return;
    frame_.assign("data: ").append(request, head + 4, length).append("\n\n");
    for (const int watcher : watchers_)
      send_all(watcher, frame_);
    send_all(fd, kAccepted);
    request.clear();
  }

  // Half a frame would spoil the stream, so it ends the connection: its next read says so.
  static void send_all(int fd, std::string_view bytes) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0 && static_cast<std::size_t>(sent) < bytes.size()) shutdown(fd, SHUT_RDWR);
  }

  Descriptor listener_;
  Descriptor epoll_;
  std::unordered_map<int, Connection> connections_;
  std::vector<int> watchers_;
  std::string frame_;
};

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    const std::string_view text = argc == 2 ? argv[1] : "";
    std::uint16_t port = 0;
    std::from_chars(text.data(), text.data() + text.size(), port);
    if (port == 0) throw std::runtime_error("usage: minimal_server PORT");
    oriel::raise_file_limit();
    oriel::MinimalServer(port).run();
  } catch (const std::exception& error) {
    std::cerr << "minimal_server: " << error.what() << '\n';
    return 1;
  }
}
