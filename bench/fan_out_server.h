#pragma once
// Base of the servers that Oriel is compared with: one thread, no queues, no filters, no history.
// Every GET connection is a watcher and receives each fan-out by exactly one send(); a POST calls a
// function. A watcher whose socket buffer is full misses the bytes.

#include "tcp.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel {

struct Publication {
  std::string_view request;  // head and body
  std::string_view body;
};

class FanOutServer {
 public:
  using OnPost = std::function<void(const Publication& post)>;

  FanOutServer(std::uint16_t port, OnPost on_post);

  // Never returns. Fans out whatever is read from a source.
  void run();

  void add_source(Descriptor source);
  void fan_out(std::string_view bytes);

 private:
  struct Connection {
    Descriptor socket;
    std::string request;
  };

  void accept_one();
  void read_source(int fd);
  void read_request(int fd);
  void handle(int fd, std::string& request);

  OnPost on_post_;
  Descriptor listener_;
  Descriptor epoll_;
  std::unordered_map<int, Descriptor> sources_;
  std::unordered_map<int, Connection> connections_;
  std::vector<int> watchers_;
  std::vector<char> buffer_ = std::vector<char>(64 << 10);  // capacity of a pipe
};

// The port in the program's first argument; 0 if there is none.
std::uint16_t port_of(int argc, char** argv);

}  // namespace oriel
