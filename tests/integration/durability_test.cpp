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

// A stopped server's journal of 200 events, one of whose pages was overwritten.
class DamagedServer : public testing::Test {
 protected:
  static constexpr std::uint64_t kEvents = 200;

  DamagedServer() {
    {
      ServerProcess server({}, data_.path());
      Publisher publisher(server);
      for (std::uint64_t number = 1; number <= kEvents; ++number) {
        publisher.publish(R"({"type":"note","text":"event-)" + std::to_string(number) + "-" +
                          std::string(300, 'x') + R"("})");
      }
    }
    damage_page_with(data_.path() / "journal.db", "event-100-");
  }

  // Reads from the first event to the newest; every sequence is an event or in a gap.
  static std::uint64_t count_missing(const ServerProcess& server) {
    SseClient client(server, resume_after("0"));
    const auto head = client.hello().json().at("head").to_number<std::uint64_t>();
    EXPECT_GE(head, kEvents);
    std::uint64_t missing = 0;
    std::uint64_t next = 1;
    while (next <= head) {
      const SseFrame frame = client.next_event();
      if (frame.event == "gap") {
        const auto missed = frame.json().at("missed").to_number<std::uint64_t>();
        missing += missed;
        next += missed;
      } else {
        EXPECT_EQ(frame.sequence(), next++);
      }
    }
    EXPECT_EQ(next, head + 1);
    return missing;
  }

  Finished check(std::vector<std::string> flags = {}) const {
    std::vector<std::string> words = {"check", "--data-dir", data_.path().string()};
    words.insert(words.end(), flags.begin(), flags.end());
    return run_oriel(words);
  }

  TempDir data_;
};

TEST_F(DamagedServer, GivesWatchersAGapWithNumbersAndGoesOnAndIsDegraded) {
  ServerProcess server({}, data_.path());
  const std::uint64_t missing = count_missing(server);
  EXPECT_GT(missing, 0U);
  EXPECT_LT(missing, 20U);
  const boost::json::object health = get(server, "/health").json();
  EXPECT_EQ(health.at("status"), "degraded");
  EXPECT_THAT(std::string(health.at("problems").as_array().at(0).as_string()),
              testing::HasSubstr("missing or were changed"));

  SseClient live(server);
  live.hello();
  const Published later = Publisher(server).publish_note();
  EXPECT_EQ(live.next_event().sequence(), later.sequence);
}

TEST_F(DamagedServer, IsCheckedAndRepairedByTheCommandLine) {
  const Finished damaged = check();
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.out, testing::HasSubstr("The journal is damaged"));
  const Finished repaired = check({"--repair"});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.err;
  EXPECT_THAT(repaired.out, testing::HasSubstr("journal.db.damaged-"));
  const Finished sound = check({"--json"});
  EXPECT_EQ(sound.exit_code, 0);
  EXPECT_THAT(sound.out, testing::HasSubstr(R"("sound":true)"));

  ServerProcess server({}, data_.path());
  EXPECT_GT(count_missing(server), 0U);
  EXPECT_EQ(get(server, "/health").json().at("status"), "ok");
  EXPECT_EQ(check({"--repair"}).exit_code, 1) << "the server is running";
}

}  // namespace
}  // namespace oriel
