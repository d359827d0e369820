#pragma once
// What the servers have in common that Oriel is compared with: one thread, no queue, no filter, no
// history. Every GET connection is a watcher and gets what is fanned out by exactly one send(); a
// POST goes to a function. A watcher whose socket is full misses the bytes.

#include "tcp.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel {

struct Publication {
  std::string_view request;  // as it came
  std::string_view body;     // the part of it after the head
};

class FanOutServer {
 public:
  using OnPost = std::function<void(const Publication& post)>;

  FanOutServer(std::uint16_t port, OnPost on_post);

  // Without end: whatever a source gives goes to all watchers.
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
  std::vector<char> buffer_ = std::vector<char>(64 << 10);  // a whole pipe
};

// The port that a program's first argument names, 0 if none.
std::uint16_t port_of(int argc, char** argv);

}  // namespace oriel
