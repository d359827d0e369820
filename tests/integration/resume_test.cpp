// R-SSE-10: coming back after a cut, without loss and without doubles.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kOtherEpoch = "0123456789abcdef";

void publish_notes(const ServerProcess& server, int count) {
  Publisher publisher(server);
  for (int i = 0; i < count; ++i)
    publisher.publish_note();
}

std::vector<std::jthread> start_publishers(const ServerProcess& server, int publishers, int each) {
  std::vector<std::jthread> threads;
  threads.reserve(publishers);
  for (int i = 0; i < publishers; ++i) {
    threads.emplace_back([&server, each] { publish_notes(server, each); });
  }
  return threads;
}

// Reads up to `last` and expects every sequence after `after` once, in order.
void expect_all(SseClient& client, std::uint64_t after, std::uint64_t last) {
  while (after < last) {
    const SseFrame frame = client.next_event();
    ASSERT_EQ(frame.event, "note");
    ASSERT_EQ(frame.sequence(), after + 1);
    after = frame.sequence();
  }
}

constexpr int kBefore = 40;
constexpr int kPublishers = 8;
constexpr int kEach = 20;
constexpr std::uint64_t kLast = kBefore + kPublishers * kEach;

// One client at each cursor of the past, all joining while 8 publishers publish.
void expect_resume_at_every_past_cursor(const std::string& store) {
  ServerProcess server({"--store", store});
  publish_notes(server, kBefore);
  const std::string epoch = SseClient(server).epoch();
  const std::vector<std::jthread> publishers = start_publishers(server, kPublishers, kEach);
  std::vector<std::unique_ptr<SseClient>> clients;
  for (int after = 0; after <= kBefore; ++after) {
    const std::string cursor = std::to_string(after) + "-" + epoch;
    clients.push_back(std::make_unique<SseClient>(server, resume_after(cursor)));
  }
  for (int after = 0; after <= kBefore; ++after)
    expect_all(*clients[after], after, kLast);
  EXPECT_TRUE(clients[0]->is_silent_for(Milliseconds{100}));
}

// One client that is cut after every single event while 8 publishers publish.
void expect_resume_after_every_event(const std::string& store) {
  ServerProcess server({"--store", store});
  publish_notes(server, kBefore);
  std::string cursor = "0";
  const std::vector<std::jthread> publishers = start_publishers(server, kPublishers, kEach);
  for (std::uint64_t sequence = 1; sequence <= kLast; ++sequence) {
    SseClient client(server, resume_after(cursor));
    EXPECT_EQ(client.hello().json().at("missed"), 0);
    const SseFrame frame = client.next_event();
    ASSERT_EQ(frame.sequence(), sequence);
    cursor = frame.id;
  }
}

TEST(R_SSE_10, ResumesAtEveryPastCursorWhileEightPublishSqlite) {
  expect_resume_at_every_past_cursor("sqlite");
}

TEST(R_SSE_10, ResumesAtEveryPastCursorWhileEightPublishMemory) {
  expect_resume_at_every_past_cursor("memory");
}

TEST(R_SSE_10, CutAfterEveryEventWhileEightPublishLosesNothingSqlite) {
  expect_resume_after_every_event("sqlite");
}

TEST(R_SSE_10, CutAfterEveryEventWhileEightPublishLosesNothingMemory) {
  expect_resume_after_every_event("memory");
}

TEST(R_SSE_10, HeaderAndQueryBothResume) {
  ServerProcess server;
  publish_notes(server, 10);
  const std::string epoch = SseClient(server).epoch();
  SseClient by_header(server, resume_after("4-" + epoch));
  EXPECT_EQ(by_header.hello().json().at("resumed"), true);
  EXPECT_EQ(by_header.hello().id, "4-" + epoch);
  expect_all(by_header, 4, 10);
  SseClient by_query(server, "/api/events?last_event_id=7-" + epoch);
  EXPECT_EQ(by_query.hello().json().at("resumed"), true);
  expect_all(by_query, 7, 10);
}

TEST(R_SSE_10, HeaderWinsOverQuery) {
  ServerProcess server;
  publish_notes(server, 10);
  const std::string epoch = SseClient(server).epoch();
  SseClient client(server, resume_after("8-" + epoch, "/api/events?last_event_id=2-" + epoch));
  expect_all(client, 8, 10);
}

TEST(R_SSE_10, WithoutACursorOnlyNewEventsCome) {
  ServerProcess server;
  publish_notes(server, 5);
  SseClient client(server);
  EXPECT_EQ(client.hello().id, "5-" + client.epoch());
  publish_notes(server, 1);
  expect_all(client, 5, 6);
}

TEST(R_SSE_10, CursorAtTheHeadResumesWithNothingMissed) {
  ServerProcess server;
  publish_notes(server, 3);
  SseClient client(server, resume_after("3-" + SseClient(server).epoch()));
  EXPECT_EQ(client.hello().json().at("resumed"), true);
  EXPECT_EQ(client.hello().json().at("missed"), 0);
  EXPECT_TRUE(client.is_silent_for(Milliseconds{100}));
  publish_notes(server, 1);
  expect_all(client, 3, 4);
}

TEST(R_SSE_10, IdOfTheHelloIsACursorToo) {
  ServerProcess server;
  SseClient first(server);
  const std::string cursor = first.hello().id;
  publish_notes(server, 3);
  SseClient back(server, resume_after(cursor));
  expect_all(back, 0, 3);
}

TEST(R_SSE_10, ZeroMeansEverythingThatIsHeld) {
  ServerProcess server({"--store", "memory", "--event-store-bytes", "64KiB"});
  Publisher publisher(server);
  for (int i = 0; i < 300; ++i)
    publisher.publish_big(1000, "note");
  SseClient client(server, "/api/events?last_event_id=0");
  const std::int64_t oldest = client.hello().json().at("oldest").as_int64();
  EXPECT_GT(oldest, 1);
  expect_all(client, oldest - 1, 300);
}

TEST(R_SSE_10, CursorOlderThanWhatIsHeldGivesAGapWithNumbers) {
  ServerProcess server({"--store", "memory", "--event-store-bytes", "64KiB"});
  Publisher publisher(server);
  for (int i = 0; i < 300; ++i)
    publisher.publish_big(1000, "note");
  SseClient client(server, resume_after("3-" + SseClient(server).epoch()));
  const boost::json::object hello = client.hello().json();
  const std::int64_t oldest = hello.at("oldest").as_int64();
  ASSERT_GT(oldest, 4);
  EXPECT_EQ(hello.at("missed"), oldest - 4);
  const std::string numbers = R"({"oldest":)" + std::to_string(oldest) +
                              R"(,"head":300,"missed":)" + std::to_string(oldest - 4) + "}";
  EXPECT_EQ(client.next_frame().raw, "event: gap\ndata: " + numbers + "\n\n");
  expect_all(client, oldest - 1, 300);
}

TEST(R_SSE_10, RetentionOfTheDurableStoreGivesAGapToo) {
  ServerProcess server({"--store", "sqlite", "--retain-bytes", "128KiB"});
  Publisher publisher(server);
  const std::string first = publisher.publish_note().id;
  for (int i = 0; i < 100; ++i)
    publisher.publish_big(8000, "note");
  const auto oldest = [&] { return SseClient(server).hello().json().at("oldest").as_int64(); };
  ASSERT_TRUE(eventually([&] { return oldest() > 2; }));
  SseClient client(server, resume_after(first));
  const SseFrame gap = client.next_event();
  ASSERT_EQ(gap.event, "gap");
  EXPECT_EQ(gap.json().at("head"), 101);
  const std::uint64_t next = client.next_event().sequence();
  EXPECT_EQ(gap.json().at("missed"), next - 2);
  EXPECT_LE(gap.json().at("oldest").to_number<std::uint64_t>(), next);
}

TEST(R_SSE_10, CursorOfAnotherEpochGivesAGapAndWhatIsHeld) {
  ServerProcess server;
  publish_notes(server, 3);
  SseClient client(server, resume_after("2-" + kOtherEpoch));
  EXPECT_EQ(client.hello().json().at("resumed"), false);
  EXPECT_EQ(client.next_frame().raw,
            "event: gap\ndata: {\"oldest\":1,\"head\":3,\"missed\":null}\n\n");
  expect_all(client, 0, 3);
}

TEST(R_SSE_10, CursorBeyondTheHeadGivesAGap) {
  ServerProcess server;
  publish_notes(server, 3);
  SseClient client(server, resume_after("4-" + SseClient(server).epoch()));
  EXPECT_EQ(client.next_frame().raw,
            "event: gap\ndata: {\"oldest\":1,\"head\":3,\"missed\":null}\n\n");
}

TEST(R_SSE_10, MalformedCursorIsRefused) {
  ServerProcess server;
  const std::string epoch = SseClient(server).epoch();
  const std::vector<std::string> cursors = {"abc",
                                            "1",
                                            "-1-" + epoch,
                                            "1-",
                                            "1-short",
                                            "1-" + epoch + "0",
                                            "99999999999999999999-" + epoch,
                                            "9223372036854775808-" + epoch,
                                            "+1-" + epoch,
                                            "0x1-" + epoch,
                                            "1_" + epoch,
                                            "1-ABCDEFGHJKMNPQRS",
                                            "00",
                                            std::string(2000, '1')};
  for (const std::string& cursor : cursors) {
    const HttpResponse by_header = get(server, "/api/events", {{"Last-Event-ID", cursor}});
    EXPECT_EQ(by_header.status, 400) << cursor;
    EXPECT_THAT(by_header.error(), StartsWith("invalid_cursor: "));
    EXPECT_THAT(by_header.error(), HasSubstr(cursor.substr(0, 20)));
    const HttpResponse by_query = get(server, "/api/events?last_event_id=" + cursor);
    EXPECT_EQ(by_query.status, 400) << cursor;
    EXPECT_EQ(by_query.error_code(), "invalid_cursor");
  }
  EXPECT_EQ(get(server, "/api/events?last_event_id=").error_code(), "invalid_cursor");
}

}  // namespace
}  // namespace oriel
