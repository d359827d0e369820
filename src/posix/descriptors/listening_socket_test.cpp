#include "posix/descriptors/listening_socket.h"

#include "base/temp_directory_testing.h"
#include "posix/file_descriptor.h"
#include "posix/socket_file.h"

#include <boost/asio/ip/udp.hpp>
#include <gtest/gtest.h>

#include <fcntl.h>

namespace oriel {
namespace {

using asio::ip::tcp;

std::string problem_of(int descriptor) {
  const auto at = listening_at(descriptor);
  return at ? "" : at.error().message;
}

TEST(ListeningSocket, HasItsTcpAddress) {
  asio::io_context io;
  for (const char* const address : {"127.0.0.1", "::1"}) {
    tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::make_address(address), 0));
    const ListeningAt at = listening_at(acceptor.native_handle()).value();
    EXPECT_EQ(at, (ListeningAt{.tcp = acceptor.local_endpoint(), .path = {}}));
  }
}

TEST(ListeningSocket, HasItsPath) {
  const TempDirectory directory;
  SocketFile file(directory / "a.sock");
  const FileDescriptor listener = file.take_listener();
  EXPECT_EQ(listening_at(listener.get()).value(),
            (ListeningAt{.tcp = {}, .path = directory / "a.sock"}));
}

TEST(ListeningSocket, OnePathOrTwoMayLeadToIt) {
  const TempDirectory directory;
  const SocketFile file(directory / "a.sock");
  const SocketFile other(directory / "b.sock");
  std::filesystem::create_symlink("a.sock", directory / "link");
  EXPECT_TRUE(is_same_file(directory / "a.sock", directory / "link"));
  EXPECT_FALSE(is_same_file(directory / "a.sock", directory / "b.sock"));
  EXPECT_FALSE(is_same_file(directory / "missing", directory / "missing"));
}

TEST(ListeningSocket, OtherDescriptorsAreNamed) {
  const FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(problem_of(file.get()), "not a socket");
  EXPECT_EQ(problem_of(-1), "not a socket");
  asio::io_context io;
  asio::ip::udp::socket udp(io, asio::ip::udp::v4());
  EXPECT_EQ(problem_of(udp.native_handle()), "not a stream socket");
  tcp::socket idle(io, tcp::v4());
  EXPECT_EQ(problem_of(idle.native_handle()), "a socket that does not listen");
}

}  // namespace
}  // namespace oriel
