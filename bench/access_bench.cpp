// What it costs to ask the kernel whose a local connection is: loopback connections that are
// accepted and closed, without and with the question.

#include "posix/socket_owner.h"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {

using namespace oriel;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr int kConnections = 20'000;

struct Times {
  double connection = 0;  // us each
  double question = 0;
};

Times measure() {
  asio::io_context context;
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  SocketOwner owner;
  Clock::duration asking{};
  const auto began = Clock::now();
  for (int i = 0; i < kConnections; ++i) {
    tcp::socket client(context);
    client.connect(acceptor.local_endpoint());
    const tcp::socket server = acceptor.accept();
    const auto asked = Clock::now();
    const auto user = owner.user_of_peer(server.remote_endpoint(), server.local_endpoint());
    asking += Clock::now() - asked;
    if (user != getuid()) {
      std::fprintf(stderr, "the kernel did not name the user\n");
      std::exit(1);
    }
    client.set_option(asio::socket_base::linger(true, 0));  // leaves no TIME_WAIT behind
  }
  const auto whole = Clock::now() - began;
  return {.connection = Microseconds(whole - asking).count() / kConnections,
          .question = Microseconds(asking).count() / kConnections};
}

}  // namespace

int main() {
  measure();  // warms up
  const Times times = measure();
  std::printf("connection: %.1f us\nwhose it is: %.1f us, %.2f of the connection\n",
              times.connection, times.question, times.question / times.connection);
}
