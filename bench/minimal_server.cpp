// The lower bound of the cost of fan-out with one system call per watcher: every POSTed body
// becomes one frame that every watcher receives by exactly one send().

#include "fan_out_server.h"

#include <iostream>
#include <stdexcept>

int main(int argc, char** argv) {
  try {
    const std::uint16_t port = oriel::port_of(argc, argv);
    if (port == 0 || argc != 2) throw std::runtime_error("usage: minimal_server PORT");
    oriel::raise_file_limit();
    std::string frame;
    oriel::FanOutServer server(port, [&](const oriel::Publication& post) {
      frame.assign("data: ").append(post.body).append("\n\n");
      server.fan_out(frame);
    });
    server.run();
  } catch (const std::exception& error) {
    std::cerr << "minimal_server: " << error.what() << '\n';
    return 1;
  }
}
