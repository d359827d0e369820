#include "agent/sandbox/oriel_gate.h"

#include "posix/file_descriptor.h"
#include "posix/process_testing.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>

namespace oriel {
namespace {

using asio::ip::tcp;

// As oriel-sandbox-init does. Returns whether it worked.
bool hand_over(const std::filesystem::path& handover, int descriptor) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = handover.string();
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const FileDescriptor oriel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(oriel.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return false;
  char byte = 0;
  iovec data{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return ::sendmsg(oriel.get(), &message, MSG_NOSIGNAL) == 1;
}

struct Seen {
  std::string peer;      // of the connection, as Oriel sees it
  std::string received;  // by Oriel
  std::string answered;  // to the agent
};

// Sends "ask" from inside and "answer" back.
asio::awaitable<Seen> talk_through_gate() {
  const auto shard = co_await asio::this_coro::executor;
  const tcp::endpoint any(asio::ip::address_v4::loopback(), 0);
  tcp::acceptor oriel(shard, any);
  const auto gate = OrielGate::open(shard, oriel.local_endpoint().port(), {}).value();
  tcp::acceptor inside(shard, any);
  EXPECT_TRUE(hand_over(gate->handover(), inside.native_handle()));
  const tcp::endpoint port = inside.local_endpoint();
  tcp::socket client(shard);
  co_await client.async_connect(port, asio::use_awaitable);
  tcp::socket server = co_await oriel.async_accept(asio::use_awaitable);
  Seen seen;
  seen.peer = server.remote_endpoint().address().to_string();
  const std::string ask = "ask";
  const auto asked = asio::buffer(ask);
  co_await asio::async_write(client, asked, asio::use_awaitable);
  seen.received.resize(ask.size());
  const auto arriving = asio::buffer(seen.received);
  co_await asio::async_read(server, arriving, asio::use_awaitable);
  const std::string answer_text = "answer";
  const auto answering = asio::buffer(answer_text);
  co_await asio::async_write(server, answering, asio::use_awaitable);
  seen.answered.resize(answer_text.size());
  const auto returning = asio::buffer(seen.answered);
  co_await asio::async_read(client, returning, asio::use_awaitable);
  co_await gate->stop();
  co_return seen;
}

TEST(OrielGate, LeadsToOrielFromAnAddressThatIsNotTrusted) {
  const Seen seen = run_here(talk_through_gate());
  EXPECT_EQ(seen.peer, "127.0.0.2");
  EXPECT_EQ(seen.received, "ask");
  EXPECT_EQ(seen.answered, "answer");
}

}  // namespace
}  // namespace oriel
