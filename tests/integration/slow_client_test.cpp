// Clients that read slowly, not at all, or vanish: they cost their own place and nothing else.

#include "prometheus_text.h"
#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>
#include <string_view>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;

constexpr std::size_t kBigEvent = 64 << 10;
constexpr int kMaxFlood = 512;  // 32 MiB: more than the system and the queue take together

std::int64_t queued_bytes(const ServerProcess& server, const std::string& client_id) {
  const HttpResponse response = get(server, "/api/clients/" + client_id);
  return response.status == 200 ? response.json().at("queued_bytes").as_int64() : 0;
}

bool is_registered(const ServerProcess& server, const std::string& client_id) {
  return get(server, "/api/clients/" + client_id).status == 200;
}

std::string state_of(const ServerProcess& server, const std::string& client_id) {
  const HttpResponse response = get(server, "/api/clients/" + client_id);
  return std::string(response.json().at("state").as_string());
}

double counter(const ServerProcess& server, const std::string& name) {
  return parse_prometheus(get(server, "/metrics").body).at(name).samples.at("");
}

// Publishes big events until the condition holds; false if it never does.
template <class Condition>
bool flood_until(const ServerProcess& server, Condition condition) {
  Publisher publisher(server);
  for (int i = 0; i < kMaxFlood; ++i) {
    if (condition()) return true;
    publisher.publish_big(kBigEvent);
  }
  return condition();
}

TEST(R_SSE_4, BroadcastReachesEveryClient) {
  ServerProcess server;
  std::vector<std::unique_ptr<SseClient>> clients;
  for (int i = 0; i < 50; ++i)
    clients.push_back(std::make_unique<SseClient>(server));
  for (auto& client : clients)
    client->hello();
  Publisher publisher(server);
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i)
    ids.push_back(publisher.publish_note().id);
  for (auto& client : clients) {
    for (const std::string& id : ids)
      EXPECT_EQ(client->next_event().id, id);
  }
}

TEST(R_SSE_4, StalledClientNeverDelaysTheOthers) {
  ServerProcess server({"--max-queue-bytes", "64MiB"});
  SseClient asleep(server, stalled());
  const std::string asleep_id = asleep.client_id();
  SseClient awake(server);
  awake.hello();
  Publisher publisher(server);
  for (int i = 0; i < 128; ++i) {
    const std::string id = publisher.publish_big(kBigEvent).id;
    EXPECT_EQ(awake.next_event(Milliseconds{2000}).id, id);
  }
  EXPECT_GT(queued_bytes(server, asleep_id), 0);
}

TEST(R_SSE_4, AClientThatFallsBehindKeepsItsStreamAndIsLiveAgainOnceItHasReadEverything) {
  ServerProcess server({"--max-queue-bytes", "256KiB"});
  SseClient client(server, stalled());
  const std::string id = client.client_id();
  ASSERT_TRUE(flood_until(server, [&] { return state_of(server, id) == "replaying"; }));
  EXPECT_LE(queued_bytes(server, id), 256 << 10);
  EXPECT_GE(counter(server, "oriel_demotions_total"), 1);

  const std::uint64_t head = Publisher(server).publish_note().sequence;
  for (std::uint64_t next = 1; next <= head; ++next)
    ASSERT_EQ(client.next_event().sequence(), next);
  EXPECT_TRUE(eventually([&] { return state_of(server, id) == "live"; }));
  const std::string live = Publisher(server).publish_note().id;
  EXPECT_EQ(client.next_event().id, live);
}

// The numbers of the events in the text of a stream, without the hello and mere cursors.
std::vector<std::uint64_t> sequences_in(std::string_view text) {
  constexpr std::string_view kId = "\nid: ";
  std::vector<std::uint64_t> sequences;
  for (std::size_t at = text.find(kId); at != text.npos; at = text.find(kId, at)) {
    at += kId.size();
    const std::string_view next = text.substr(std::min(text.find('\n', at), text.size()));
    if (next.starts_with("\nevent: ") && !next.starts_with("\nevent: hello"))
      sequences.push_back(std::stoull(std::string(text.substr(at, 20))));
  }
  return sequences;
}

// Watchers that read all that has come whenever they are asked.
class Crowd {
 public:
  Crowd(const ServerProcess& server, std::size_t count, const std::string& target) {
    for (std::size_t i = 0; i < count; ++i) {
      watchers_.push_back({.socket = std::make_unique<RawClient>(server.port()), .text = {}});
      watchers_.back().socket->send(HttpRequest{.target = target}.bytes());
    }
  }

  void read() {
    std::string piece(64 << 10, '\0');
    for (Watcher& watcher : watchers_) {
      ssize_t size = 0;
      while ((size = ::recv(watcher.socket->fd(), piece.data(), piece.size(), MSG_DONTWAIT)) > 0)
        watcher.text.append(piece, 0, static_cast<std::size_t>(size));
      if (size == 0) throw Closed("a watcher was disconnected");
    }
  }

  // The number of watchers that have received these events after the first ones, each once.
  std::size_t with(const std::vector<std::uint64_t>& events) const {
    return static_cast<std::size_t>(std::count_if(
        watchers_.begin(), watchers_.end(),
        [&](const Watcher& watcher) { return sequences_in(watcher.text) == events; }));
  }

 private:
  struct Watcher {
    std::unique_ptr<RawClient> socket;
    std::string text;
  };

  std::vector<Watcher> watchers_;
};

// As many as this process may have, at most that many.
std::size_t affordable_watchers(std::size_t wanted) {
  constexpr rlim_t kOtherFiles = 100;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur > wanted + kOtherFiles) return wanted;
  const auto fewer = static_cast<std::size_t>(files.rlim_cur - kOtherFiles);
  std::cout << "only " << fewer << " watchers: the limit of open files is " << files.rlim_cur
            << '\n';
  return fewer;
}

// Fast watchers take the notes, as 999 times everything would be a test of this machine. A Unix
// socket holds little by itself.
TEST(R_SSE_4, AWatcherThatReads10KilobytesPerSecondBeside999FastOnesCostsItsQueueAndLosesNothing) {
  constexpr std::size_t kQueue = 64 << 10;
  constexpr int kSteps = 80;
  constexpr std::size_t kBytesPerStep = 1000;
  constexpr Milliseconds kStep{100};
  const std::size_t watchers = affordable_watchers(999);
  ServerProcess server({"--max-queue-bytes", std::to_string(kQueue), "--max-sse-clients", "1100",
                        "--max-sse-clients-per-principal", "1100"});
  SseClient slow(std::make_unique<RawClient>(server.socket()), {});
  const std::string id = slow.client_id();
  Crowd fast(server, watchers, "/api/events?types=note");
  ASSERT_TRUE(eventually(
      [&] { return active_streams(server) == static_cast<std::int64_t>(watchers) + 1; }));

  Publisher publisher(server);
  std::vector<std::uint64_t> notes;
  std::string text = "\n";  // the end of the hello
  std::uint64_t head = 0;
  const SteadyClock::time_point begin = SteadyClock::now();
  for (int step = 0; step < kSteps; ++step) {
    notes.push_back(publisher.publish_note().sequence);
    head = publisher.publish_big(16 << 10).sequence;
    text += slow.socket().read_exactly(kBytesPerStep);
    fast.read();
    EXPECT_LE(queued_bytes(server, id), static_cast<std::int64_t>(kQueue));
    std::this_thread::sleep_until(begin + (step + 1) * kStep);
  }
  EXPECT_TRUE(eventually([&] {
    fast.read();
    return fast.with(notes) == watchers;
  })) << fast.with(notes)
      << " of " << watchers;
  EXPECT_EQ(state_of(server, id), "replaying");
  EXPECT_GE(counter(server, "oriel_demotions_total"), 1);

  while (sequences_in(text).empty() || sequences_in(text).back() < head)
    text += slow.socket().read_until("\n\n");
  std::vector<std::uint64_t> all(head);
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(sequences_in(text), all);
  EXPECT_TRUE(eventually([&] { return state_of(server, id) == "live"; }));
  EXPECT_EQ(counter(server, "oriel_sse_stalled_total"), 0);
}

TEST(R_SSE_6, ClientThatVanishesBeforeTheFirstByteFreesItsSlot) {
  ServerProcess server({"--max-sse-clients", "5"});
  for (int i = 0; i < 40; ++i)
    SseClient(server).socket().reset();
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
  std::vector<std::unique_ptr<SseClient>> clients;
  for (int i = 0; i < 5; ++i)
    clients.push_back(std::make_unique<SseClient>(server));
  for (auto& client : clients)
    EXPECT_EQ(client->hello().event, "hello");
}

TEST(R_SSE_6, ClientThatVanishesInReplayFreesItsSlot) {
  ServerProcess server;
  Publisher publisher(server);
  for (int i = 0; i < 128; ++i)
    publisher.publish_big(kBigEvent);
  for (int i = 0; i < 10; ++i) {
    SseRequest request = stalled("/api/events?last_event_id=0");
    SseClient client(server, request);
    client.hello();
    EXPECT_EQ(client.next_event().sequence(), 1u);
    client.socket().reset();
  }
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
}

TEST(R_SSE_6, ClientThatVanishesWhileStalledFreesItsSlot) {
  ServerProcess server({"--max-queue-bytes", "64MiB"});
  SseClient client(server, stalled());
  const std::string id = client.client_id();
  ASSERT_TRUE(flood_until(server, [&] { return queued_bytes(server, id) > 0; }));
  client.socket().reset();
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
}

TEST(R_SSE_6, ClientThatClosesIsRemovedWithoutAnyWrite) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  EXPECT_EQ(active_streams(server), 1);
  client.socket().close();
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
}

TEST(R_SSE_6, WhatAClientSendsAfterItsRequestDoesNoHarm) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  client.socket().send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" +
                       std::string(100'000, 'x'));
  const std::string id = Publisher(server).publish_note().id;
  EXPECT_EQ(client.next_event().id, id);
}

TEST(R_SSE_7, ClientWhoseWritesMakeNoProgressIsRemovedAndLogged) {
  ServerProcess server({"--max-queue-bytes", "64MiB", "--stall-timeout", "1s"});
  SseClient client(server, stalled());
  const std::string id = client.client_id();
  ASSERT_TRUE(flood_until(server, [&] { return queued_bytes(server, id) > 0; }));
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }, Milliseconds{5000}));
  EXPECT_TRUE(eventually([&] { return server.log().find(id) != std::string::npos; }));
  EXPECT_THAT(server.log(), HasSubstr("no progress"));
  EXPECT_EQ(counter(server, "oriel_sse_stalled_total"), 1);
}

TEST(R_SSE_7, QuietClientIsNotStalled) {
  ServerProcess server({"--stall-timeout", "300ms", "--heartbeat", "30s"});
  SseClient client(server);
  client.hello();
  EXPECT_TRUE(client.is_silent_for(Milliseconds{1500}));
  EXPECT_EQ(active_streams(server), 1);
}

TEST(R_SSE_7, SlowClientThatGoesOnReadingStays) {
  ServerProcess server({"--stall-timeout", "1s"});
  Publisher publisher(server);
  for (int i = 0; i < 128; ++i)
    publisher.publish_big(kBigEvent);
  SseClient client(server, SseRequest{.target = "/api/events?last_event_id=0",
                                      .socket = {.receive_buffer = 32 << 10}});
  const std::string id = client.client_id();
  const Deadline deadline(Milliseconds{3500});
  while (!deadline.passed()) {
    client.socket().read_exactly(16 << 10);
    std::this_thread::sleep_for(Milliseconds{100});
  }
  EXPECT_TRUE(is_registered(server, id)) << server.log();
}

}  // namespace
}  // namespace oriel
