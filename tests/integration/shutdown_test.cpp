// R-SSE-11: how the server ends.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <csignal>

namespace oriel {
namespace {

constexpr Milliseconds kFiveSeconds{5000};

// Publishes until the client's queue holds something that its connection does not take.
void stall_with_a_full_queue(const ServerProcess& server, SseClient& client) {
  const std::string target = "/api/clients/" + client.client_id();
  Publisher publisher(server);
  for (int i = 0; i < 512; ++i) {
    if (get(server, target).json().at("queued_bytes").as_int64() > 0) return;
    publisher.publish_big(64 << 10);
  }
  FAIL() << "the client does not stall";
}

std::vector<std::unique_ptr<SseClient>> quiet_clients(const ServerProcess& server, int count) {
  std::vector<std::unique_ptr<SseClient>> clients;
  for (int i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<SseClient>(server, "/api/events?types=quiet"));
  }
  for (auto& client : clients)
    client->hello();
  return clients;
}

void expect_bye(SseClient& client) {
  const SseFrame bye = client.next_event();
  ASSERT_TRUE(bye.retry);
  const std::string retry = std::to_string(*bye.retry);
  EXPECT_EQ(bye.raw, "retry: " + retry +
                         "\nevent: bye\ndata: {\"reason\":\"shutdown\",\"retry_ms\":" + retry +
                         "}\n\n");
  EXPECT_TRUE(client.frames_to_end().empty());
}

TEST(R_SSE_11, SigtermSaysByeToAllAndExitsInTimeDespiteAStalledClient) {
  ServerProcess server({"--max-sse-clients", "101", "--max-queue-bytes", "64MiB"});
  auto clients = quiet_clients(server, 100);
  SseClient asleep(server, stalled());
  stall_with_a_full_queue(server, asleep);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_exit(kFiveSeconds), 0);
  for (auto& client : clients)
    expect_bye(*client);
}

TEST(R_SSE_11, SigintEndsItToo) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  server.signal(SIGINT);
  expect_bye(client);
  EXPECT_EQ(server.wait_exit(kFiveSeconds), 0);
}

TEST(R_SSE_11, EventsPublishedBeforeTheSignalComeBeforeBye) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  const std::string id = Publisher(server).publish_note().id;
  server.signal(SIGTERM);
  EXPECT_EQ(client.next_event().id, id);
  expect_bye(client);
  EXPECT_EQ(server.wait_exit(kFiveSeconds), 0);
}

TEST(R_SSE_11, IdleAndUnfinishedConnectionsDoNotDelayTheEnd) {
  ServerProcess server;
  RawClient idle(server.port());
  RawClient kept(server.port());
  EXPECT_EQ(call(kept, {.target = "/health"}).status, 200);
  RawClient in_head(server.port());
  in_head.send("GET /health HT");
  RawClient in_body(server.port());
  in_body.send(
      "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: 100\r\n\r\n{");
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_exit(kFiveSeconds), 0);
}

TEST(R_SSE_11, SecondSignalExitsAtOnce) {
  ServerProcess server({"--max-queue-bytes", "64MiB", "--shutdown-timeout", "60s"});
  SseClient asleep(server, stalled());
  stall_with_a_full_queue(server, asleep);
  SseClient awake(server, "/api/events?types=quiet");
  awake.hello();
  server.signal(SIGTERM);
  expect_bye(awake);
  server.signal(SIGTERM);
  EXPECT_TRUE(server.wait_exit(Milliseconds{2000}).has_value());
}

TEST(R_SSE_11, AfterTheSignalNobodyIsLetIn) {
  ServerProcess server({"--max-queue-bytes", "64MiB", "--shutdown-timeout", "60s"});
  SseClient asleep(server, stalled());
  stall_with_a_full_queue(server, asleep);
  SseClient awake(server, "/api/events?types=quiet");
  awake.hello();
  server.signal(SIGTERM);
  expect_bye(awake);
  EXPECT_THROW(SseClient(server).hello(), Closed);
  server.signal(SIGKILL);
}

}  // namespace
}  // namespace oriel
