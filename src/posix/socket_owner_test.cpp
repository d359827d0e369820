#include "posix/socket_owner.h"

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>

namespace oriel {
namespace {

using asio::ip::tcp;

// A connection over loopback within this process.
class SocketOwnerTest : public testing::Test {
 protected:
  void connect(const std::string& address) {
    tcp::acceptor acceptor(io_, tcp::endpoint(asio::ip::make_address(address), 0));
    client_.connect(acceptor.local_endpoint());
    server_ = acceptor.accept();
  }

  std::optional<uid_t> user() {
    return owner_.user_of_peer(server_.remote_endpoint(), server_.local_endpoint());
  }

  asio::io_context io_;
  tcp::socket client_{io_};
  tcp::socket server_{io_};
  SocketOwner owner_;
};

using R_AUTH_1 = SocketOwnerTest;

TEST_F(R_AUTH_1, NamesTheUserOfTheOtherEnd) {
  connect("127.0.0.1");
  EXPECT_EQ(user(), getuid());
}

TEST_F(SocketOwnerTest, WorksOverIpv6) {
  connect("::1");
  EXPECT_EQ(user(), getuid());
}

TEST_F(SocketOwnerTest, WorksForIpv4MappedAddresses) {
  connect("127.0.0.1");
  const auto map = [](const tcp::endpoint& endpoint) {
    const auto v6 = asio::ip::make_address_v6(asio::ip::v4_mapped, endpoint.address().to_v4());
    return tcp::endpoint(v6, endpoint.port());
  };
  EXPECT_EQ(owner_.user_of_peer(map(server_.remote_endpoint()), map(server_.local_endpoint())),
            getuid());
}

// The kernel reports user 0 for it: a server that runs as root must not take it for its own.
TEST_F(SocketOwnerTest, AClosedSocketBelongsToNobody) {
  connect("127.0.0.1");
  const tcp::endpoint peer = server_.remote_endpoint();
  const tcp::endpoint local = server_.local_endpoint();
  client_.close();
  EXPECT_EQ(owner_.user_of_peer(peer, local), std::nullopt);
}

TEST_F(SocketOwnerTest, AnUnknownConnectionBelongsToNobody) {
  connect("127.0.0.1");
  const tcp::endpoint other(asio::ip::make_address("127.0.0.1"), 1);
  EXPECT_EQ(owner_.user_of_peer(other, server_.local_endpoint()), std::nullopt);
}

TEST_F(R_AUTH_1, AnotherUserIsNamed) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  constexpr uid_t kNobody = 65534;
  tcp::acceptor acceptor(io_, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0));
  const std::uint16_t port = acceptor.local_endpoint().port();
  const pid_t child = fork();
  if (child == 0) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (setuid(kNobody) != 0) _exit(1);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) _exit(1);
    char byte = 0;
    _exit(read(fd, &byte, 1) == 0 ? 0 : 1);  // until the server closes
  }
  server_ = acceptor.accept();
  EXPECT_EQ(user(), kNobody);
  server_.close();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

using Unix = asio::local::stream_protocol;

TEST_F(R_AUTH_1, AUnixSocketNamesTheUserOfItsOtherEnd) {
  Unix::socket client(io_);
  Unix::socket server(io_);
  asio::local::connect_pair(client, server);
  EXPECT_EQ(user_of_unix_peer(server.native_handle()), getuid());
}

TEST_F(R_AUTH_1, AUnixSocketNamesAnotherUserEvenAfterItIsClosed) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  constexpr uid_t kNobody = 65534;
  // An abstract address, which every user may connect to.
  const Unix::endpoint address(std::string(1, '\0') + "oriel-test-" + std::to_string(getpid()));
  Unix::acceptor acceptor(io_, address);
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(kNobody) != 0) _exit(1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    _exit(::connect(fd, address.data(), static_cast<socklen_t>(address.size())));
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  Unix::socket server = acceptor.accept();
  EXPECT_EQ(user_of_unix_peer(server.native_handle()), kNobody);
}

TEST_F(SocketOwnerTest, ATcpSocketHasNoUserOfAUnixSocket) {
  connect("127.0.0.1");
  EXPECT_EQ(user_of_unix_peer(server_.native_handle()), std::nullopt);
  EXPECT_EQ(user_of_unix_peer(-1), std::nullopt);
}

}  // namespace
}  // namespace oriel
