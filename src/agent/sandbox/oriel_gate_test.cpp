#include "agent/sandbox/oriel_gate.h"

#include "agent/sandbox/handover_testing.h"
#include "posix/process_testing.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using asio::ip::tcp;

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
