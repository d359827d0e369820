// What was acknowledged is there after a crash.

#include "http_call.h"
#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>

namespace oriel {
namespace {

// Publishes until the server is gone and counts what was acknowledged.
void publish_until_killed(const ServerProcess& server, std::atomic<std::uint64_t>& acknowledged) {
  try {
    Publisher publisher(server);
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t sequence = publisher.publish_note().sequence;
      std::uint64_t known = acknowledged;
      while (known < sequence && !acknowledged.compare_exchange_weak(known, sequence)) {
      }
    }
  } catch (const std::runtime_error&) {
    // Killed in the middle of a call.
  }
}

TEST(Durability, NothingAcknowledgedIsLostByAKill) {
  TempDir data;
  std::uint64_t acknowledged = 0;
  std::string cursor;
  for (int round = 0; round < 3; ++round) {
    ServerProcess server({}, data.path());
    std::atomic<std::uint64_t> newest{0};
    std::vector<std::jthread> publishers;
    for (int i = 0; i < 4; ++i) {
      publishers.emplace_back([&] { publish_until_killed(server, newest); });
    }
    EXPECT_TRUE(eventually([&] { return newest > acknowledged + 50; }));
    server.kill();
    publishers.clear();
    acknowledged = newest;
  }
  ServerProcess server({}, data.path());
  SseClient client(server, resume_after("0"));
  EXPECT_GE(client.hello().json().at("head").to_number<std::uint64_t>(), acknowledged);
  for (std::uint64_t sequence = 1; sequence <= acknowledged; ++sequence) {
    ASSERT_EQ(client.next_event().sequence(), sequence);
  }
}

TEST(Durability, WatcherResumesAcrossAKill) {
  TempDir data;
  std::string cursor;
  {
    ServerProcess server({}, data.path());
    SseClient client(server);
    client.hello();
    Publisher publisher(server);
    for (int i = 0; i < 10; ++i)
      publisher.publish_note();
    client.next_events(4);
    cursor = client.next_event().id;
    server.kill();
  }
  ServerProcess server({}, data.path());
  SseClient client(server, resume_after(cursor));
  EXPECT_EQ(client.hello().json().at("resumed"), true);
  for (std::uint64_t sequence = 6; sequence <= 10; ++sequence) {
    EXPECT_EQ(client.next_event().sequence(), sequence);
  }
  EXPECT_EQ(Publisher(server).publish_note().sequence, 11u);
}

TEST(Durability, SecondServerOnTheSameDataIsRefused) {
  ServerProcess server;
  const Finished second =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--data-dir", server.data_dir().string()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, testing::HasSubstr(server.data_dir().string()));
}

// Makes the page that holds this text unreadable for SQLite.
void damage_page_with(const std::filesystem::path& file, std::string_view text) {
  constexpr std::size_t kPageBytes = 4096;
  std::string bytes = read_file(file);
  const std::size_t found = bytes.find(text);
  ASSERT_NE(found, std::string::npos);
  bytes.replace(found / kPageBytes * kPageBytes, 8, 8, '\xff');
  write_file(file, bytes);
}

TEST(Durability, AServerThatCannotReadItsSessionsExitsWithTheReason) {
  TempDir data;
  {
    ServerProcess server({}, data.path());
    EXPECT_EQ(call(server, {.method = "POST",
                            .target = "/api/sessions",
                            .headers = {{"Content-Type", "application/json"}},
                            .body = R"({"agent":"demo"})"})
                  .status,
              201);
  }
  damage_page_with(data.path() / "journal.db", "session/ses_");
  const Finished second =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--data-dir", data.path().string()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, testing::HasSubstr("malformed"));
  EXPECT_THAT(second.out, testing::Not(testing::HasSubstr("ready")));
}

}  // namespace
}  // namespace oriel
