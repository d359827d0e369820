// What one watcher of /api/events receives: head, hello, frames, heartbeats.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <set>

namespace oriel {
namespace {

using testing::MatchesRegex;
using testing::StartsWith;

constexpr const char* kTimeRegex = "[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z";

std::string text_of(const boost::json::value& value) {
  return std::string(value.as_string());
}

TEST(R_SSE_1, StreamHasTheHeadersOfAnEventStream) {
  ServerProcess server;
  SseClient client(server,
                   {.target = "/api/events",
                    .headers = {{"Accept", "text/event-stream"}, {"Accept-Encoding", "gzip, br"}}});
  const HttpResponse& head = client.head();
  EXPECT_THAT(head.head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(head.header("content-type"), "text/event-stream");
  EXPECT_EQ(head.header("cache-control"), "no-cache");
  EXPECT_EQ(head.header("x-accel-buffering"), "no");
  EXPECT_EQ(head.header("connection"), "close");
  EXPECT_EQ(head.header("content-length"), "");
  EXPECT_EQ(head.header("transfer-encoding"), "");
  EXPECT_EQ(head.header("content-encoding"), "");
}

TEST(R_SSE_1, FirstBytesComeAtOnceAndTheStreamIsHeldOpen) {
  ServerProcess server;
  SseClient client(server);
  const std::string id = "0-" + client.epoch();
  EXPECT_THAT(client.hello().raw,
              StartsWith("retry: 2000\nid: " + id + "\nevent: hello\ndata: {\"client_id\":\""));
  EXPECT_TRUE(client.is_silent_for(Milliseconds{300}));
  Publisher(server).publish_note();
  EXPECT_EQ(client.next_event().event, "note");
}

TEST(R_SSE_1, AliasIsTheSameStream) {
  ServerProcess server;
  SseClient client(server, "/api/events/stream");
  EXPECT_EQ(client.head().header("content-type"), "text/event-stream");
  const Published published = Publisher(server).publish_note();
  EXPECT_EQ(client.hello().event, "hello");
  EXPECT_EQ(client.next_event().id, published.id);
}

TEST(R_SSE_1, RetryIsWhatWasConfigured) {
  ServerProcess server({"--retry", "7s"});
  SseClient client(server);
  EXPECT_EQ(client.hello().retry, 7000);
}

TEST(R_SSE_2, FrameIsExact) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher(server).publish(
      R"({"data":{"k":[1,"x"]},"text":"a\nb","session_id":"s","project_id":"p","type":"note"})");
  const SseFrame frame = client.next_frame();
  const std::string time = frame.text("timestamp");
  EXPECT_THAT(time, MatchesRegex(kTimeRegex));
  EXPECT_EQ(frame.raw, "id: 1-" + client.epoch() +
                           "\nevent: note\n"
                           R"(data: {"index":0,"type":"note","text":"a\nb","tool_name":"",)"
                           R"("role":"","session_id":"s","timestamp":")" +
                           time + R"(","project_id":"p","by":"local","data":{"k":[1,"x"]}})" +
                           "\n\n");
}

TEST(R_SSE_2, AbsentFieldsLeaveTheSameShape) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher(server).publish_note();
  const SseFrame frame = client.next_frame();
  EXPECT_EQ(frame.data, R"({"index":0,"type":"note","text":"","tool_name":"","role":"",)"
                        R"("session_id":"","timestamp":")" +
                            frame.text("timestamp") + R"(","by":"local"})");
}

TEST(R_SSE_2, LineBreaksInTextCannotBreakAFrame) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher(server).publish(
      "{\"type\":\"note\",\"text\":\"a\\r\\n\\nevent: bye\\ndata: \\u0000\\u2028\xE2\x80\xA8\"}");
  const SseFrame frame = client.next_frame();
  EXPECT_EQ(frame.event, "note");
  const std::string separators = "\xE2\x80\xA8\xE2\x80\xA8";
  EXPECT_EQ(frame.text("text"), "a\r\n\nevent: bye\ndata: " + std::string(1, '\0') + separators);
}

TEST(R_SSE_2, IdsRiseStrictlyAndIndexesCountPerSession) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher publisher(server);
  for (int i = 0; i < 20; ++i) {
    publisher.publish(i % 2 ? R"({"type":"n","session_id":"a"})"
                            : R"({"type":"n","session_id":"b"})");
  }
  for (int i = 0; i < 20; ++i) {
    const SseFrame frame = client.next_event();
    EXPECT_EQ(frame.id, std::to_string(i + 1) + "-" + client.epoch());
    EXPECT_EQ(frame.json().at("index"), i / 2);
  }
}

TEST(R_SSE_2, IdsSurviveARestartWhenTheStoreDoes) {
  TempDir data;
  std::string epoch;
  {
    ServerProcess server({"--store", "sqlite"}, data.path());
    Publisher(server).publish_note();
    epoch = SseClient(server).epoch();
  }
  ServerProcess server({"--store", "sqlite"}, data.path());
  SseClient client(server);
  EXPECT_EQ(client.hello().id, "1-" + epoch);
  EXPECT_EQ(Publisher(server).publish_note().id, "2-" + epoch);
  EXPECT_EQ(client.next_event().id, "2-" + epoch);
}

TEST(R_SSE_2, EpochChangesWhenTheStoreIsLost) {
  TempDir data;
  std::string epoch;
  {
    ServerProcess server({"--store", "memory"}, data.path());
    epoch = SseClient(server).epoch();
  }
  ServerProcess server({"--store", "memory"}, data.path());
  SseClient client(server);
  EXPECT_NE(client.epoch(), epoch);
  EXPECT_EQ(client.epoch().size(), epoch.size());
}

TEST(R_SSE_3, HelloHasTheClientsIdAndTheRangeOfTheJournal) {
  ServerProcess server;
  Publisher publisher(server);
  publisher.publish_note();
  publisher.publish_note();
  SseClient client(server);
  const boost::json::object hello = client.hello().json();
  EXPECT_THAT(text_of(hello.at("client_id")), MatchesRegex(".+"));
  EXPECT_THAT(text_of(hello.at("epoch")), MatchesRegex("[0-9a-z]{16}"));
  EXPECT_EQ(hello.at("head"), 2);
  EXPECT_EQ(hello.at("oldest"), 1);
  EXPECT_EQ(hello.at("resumed"), false);
  EXPECT_EQ(hello.at("missed"), 0);
  EXPECT_EQ(hello.size(), 6u);
}

TEST(R_SSE_3, EachClientHasItsOwnId) {
  ServerProcess server;
  std::vector<std::unique_ptr<SseClient>> clients;
  std::set<std::string> ids;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(std::make_unique<SseClient>(server));
    ids.insert(clients.back()->client_id());
  }
  EXPECT_EQ(ids.size(), 30u);
}

TEST(R_SSE_3, RegistryShowsEachClientWithItsMetadata) {
  ServerProcess server({"--max-sse-clients", "7"});
  SseClient plain(server);
  plain.hello();
  SseClient filtered(server, "/api/events?types=a,b&project_id=p&agent_id=s");
  const std::string id = filtered.client_id();

  const boost::json::object registry = get(server, "/api/clients").json();
  EXPECT_EQ(registry.at("count"), 2);
  EXPECT_EQ(registry.at("limit"), 7);
  EXPECT_EQ(registry.at("clients").as_array().size(), 2u);

  const boost::json::object entry = get(server, "/api/clients/" + id).json();
  EXPECT_EQ(text_of(entry.at("client_id")), id);
  EXPECT_EQ(text_of(entry.at("address")), filtered.socket().local_address());
  EXPECT_THAT(text_of(entry.at("connected_at")), MatchesRegex(kTimeRegex));
  EXPECT_THAT(text_of(entry.at("last_write_at")), MatchesRegex(kTimeRegex));
  EXPECT_EQ(entry.at("filters"), (boost::json::value{{"types", {"a", "b"}},
                                                     {"project_id", boost::json::array{"p"}},
                                                     {"session_id", boost::json::array{"s"}}}));
  EXPECT_EQ(entry.at("queued_bytes"), 0);
  EXPECT_GE(entry.at("sent_bytes").as_int64(),
            static_cast<std::int64_t>(filtered.hello().raw.size()));
  EXPECT_EQ(text_of(entry.at("principal")), "local");
  EXPECT_EQ(text_of(entry.at("state")), "live");
}

TEST(R_SSE_3, RegistryForgetsAClientThatHasGone) {
  ServerProcess server;
  SseClient client(server);
  const std::string target = "/api/clients/" + client.client_id();
  EXPECT_EQ(get(server, target).status, 200);
  client.socket().close();
  EXPECT_TRUE(eventually([&] { return get(server, target).status == 404; }));
  EXPECT_EQ(get(server, "/api/clients").json().at("count"), 0);
}

TEST(R_SSE_5, HeartbeatIsACommentAndRepeats) {
  ServerProcess server({"--heartbeat", "300ms"});
  SseClient client(server);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.next_frame().raw, ": heartbeat\n\n");
}

TEST(R_SSE_5, HeartbeatComesOnlyAfterSilence) {
  const Milliseconds interval{400};
  ServerProcess server({"--heartbeat", "400ms"});
  SseClient client(server);
  client.hello();
  Publisher publisher(server);
  for (int i = 0; i < 4; ++i) {
    const auto before_write = SteadyClock::now();
    const std::string id = publisher.publish_note().id;
    EXPECT_EQ(client.next_event().id, id);
    EXPECT_EQ(client.next_frame().raw, ": heartbeat\n\n");
    EXPECT_GE(SteadyClock::now() - before_write, interval);
  }
}

TEST(R_SSE_5, HeartbeatMovesTheCursorOfAFilteredClient) {
  ServerProcess server({"--heartbeat", "300ms"});
  SseClient client(server, "/api/events?types=wanted");
  client.hello();
  Publisher publisher(server);
  publisher.publish_note();
  const std::string id = publisher.publish_note().id;
  SseFrame frame = client.next_frame();
  while (frame.raw == ": heartbeat\n\n")
    frame = client.next_frame();
  EXPECT_EQ(frame.raw, "id: " + id + "\n\n");
  EXPECT_EQ(client.next_frame().raw, ": heartbeat\n\n");
  EXPECT_EQ(client.next_frame().raw, ": heartbeat\n\n");
}

}  // namespace
}  // namespace oriel
