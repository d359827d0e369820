// The lower bound of the cost of delivering agents' output: copies it from the agent's pipe to
// every watcher's socket by one read() and one send() each, without parsing or storing. A POST
// starts an agent with the "message" of its body, as POST /api/sessions does.

#include "fan_out_server.h"

#include <sys/socket.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <spawn.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

// The benchmark's prompts contain no escapes.
std::string message_of(std::string_view body) {
  constexpr std::string_view kName = R"("message":")";
  const std::size_t at = body.find(kName);
  if (at == body.npos) throw std::runtime_error("a request without a message");
  body.remove_prefix(at + kName.size());
  return std::string(body.substr(0, body.find('"')));
}

// Starts the program and returns its standard output.
Descriptor start(std::string program, std::string prompt) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("open a pipe");
  Descriptor output(ends[0]);
  const Descriptor input(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDOUT_FILENO);
  std::string option = "--write";
  std::array<char*, 4> arguments = {program.data(), option.data(), prompt.data(), nullptr};
  errno = posix_spawn(nullptr, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (errno != 0) fail("start " + program);
  return output;
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    const std::uint16_t port = oriel::port_of(argc, argv);
    if (port == 0 || argc != 3) throw std::runtime_error("usage: plain_copier PORT PROGRAM");
    const std::string program = argv[2];
    oriel::raise_file_limit();
    std::signal(SIGCHLD, SIG_IGN);  // the kernel reaps the agents
    oriel::FanOutServer server(port, [&](const oriel::Publication& post) {
      server.add_source(oriel::start(program, oriel::message_of(post.body)));
    });
    server.run();
  } catch (const std::exception& error) {
    std::cerr << "plain_copier: " << error.what() << '\n';
    return 1;
  }
}
