// R-SSE-9: how many clients may watch.

#include "sse_client.h"

#include <gmock/gmock.h>

#include <latch>
#include <thread>

namespace oriel {
namespace {

void expect_too_many_clients(const HttpResponse& response) {
  EXPECT_EQ(response.status, 503);
  EXPECT_GE(std::stoi(response.header("retry-after")), 1);
  EXPECT_EQ(response.error_code(), "too_many_clients");
}

// Connections that ask for a stream, and what each was answered.
struct Attempt {
  std::unique_ptr<RawClient> connection;
  HttpResponse response;
};

std::vector<Attempt> ask_at_the_same_time(const ServerProcess& server, int count) {
  std::vector<Attempt> attempts(count);
  for (Attempt& attempt : attempts)
    attempt.connection = std::make_unique<RawClient>(server.port());
  std::latch start(count);
  std::vector<std::jthread> threads;
  threads.reserve(attempts.size());
  for (Attempt& attempt : attempts) {
    threads.emplace_back([&attempt, &start] {
      start.arrive_and_wait();
      const HttpRequest request{.target = "/api/events"};
      attempt.connection->send(request.bytes());
      attempt.response = parse_head(attempt.connection->read_until("\r\n\r\n"));
      if (attempt.response.status == 200) return;
      const std::size_t length = std::stoul(attempt.response.header("content-length"));
      attempt.response.body = attempt.connection->read_exactly(length);
    });
  }
  return threads.clear(), std::move(attempts);
}

TEST(R_SSE_9, LimitIsExactUnderSimultaneousConnects) {
  ServerProcess server({"--max-sse-clients", "20"});
  const std::vector<Attempt> attempts = ask_at_the_same_time(server, 40);
  int streams = 0;
  for (const Attempt& attempt : attempts) {
    if (attempt.response.status == 200) {
      ++streams;
    } else {
      expect_too_many_clients(attempt.response);
    }
  }
  EXPECT_EQ(streams, 20);
  EXPECT_EQ(active_streams(server), 20);
}

TEST(R_SSE_9, FreedSlotCanBeUsedAgain) {
  ServerProcess server({"--max-sse-clients", "2"});
  SseClient first(server);
  SseClient second(server);
  first.hello();
  second.hello();
  expect_too_many_clients(get(server, "/api/events"));
  first.socket().close();
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 1; }));
  SseClient third(server);
  EXPECT_EQ(third.hello().event, "hello");
  expect_too_many_clients(get(server, "/api/events"));
}

TEST(R_SSE_9, RefusedRequestsTakeNoSlot) {
  ServerProcess server({"--max-sse-clients", "1"});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(get(server, "/api/events?types=").status, 400);
    EXPECT_EQ(get(server, "/api/events?last_event_id=x").status, 400);
    const HttpRequest head{.method = "HEAD", .target = "/api/events"};
    EXPECT_EQ(call(server, head).status, 200);
  }
  SseClient client(server);
  EXPECT_EQ(client.hello().event, "hello");
}

TEST(R_SSE_9, DefaultLimitIsOneHundred) {
  ServerProcess server;
  std::vector<std::unique_ptr<SseClient>> clients;
  for (int i = 0; i < 100; ++i)
    clients.push_back(std::make_unique<SseClient>(server));
  for (auto& client : clients)
    EXPECT_EQ(client->hello().event, "hello");
  expect_too_many_clients(get(server, "/api/events"));
  EXPECT_EQ(get(server, "/health").json().at("sse").at("max_connections"), 100);
  clients.clear();
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
}

}  // namespace
}  // namespace oriel
