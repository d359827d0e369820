#include "cluster/snapshot.h"

#include "base/temp_directory_testing.h"
#include "cluster/nats_server_testing.h"
#include "cluster/snapshot_file.h"
#include "journal/engine_testing.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <fstream>
#include <future>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A journal of several pieces, and a node that gives snapshots of it.
class SnapshotTest : public testing::Test {
 protected:
  SnapshotTest() {
    auto engine = open_sqlite_engine({.file = directory_ / "journal.db"});
    commit_many(*engine, 2000, "a", "\"text\":\"" + std::string(500, 'x') + "\"}");
    epoch_ = engine->epoch();
    journal_ = std::make_unique<Journal>(std::move(engine), JournalOptions{});
  }

  void serve(SnapshotServerOptions options = {}) {
    options.node = "a";
    options.directory = given();
    snapshots_ = std::make_unique<SnapshotServer>(server_side_, *journal_, options);
    ASSERT_TRUE(happens([&] { return is_answered(R"({"id": "none", "offset": 0})"); }));
  }

  bool is_answered(const std::string& request) {
    const auto answer = joiner_side_.request("oriel.snapshot.a", request, 10s);
    return answer && !answer->is_no_responders;
  }

  Result<void> fetch(const std::string& node, const std::filesystem::path& file) {
    return fetch_snapshot(joiner_side_, node, file, stop_.get_token());
  }

  std::filesystem::path given() const { return directory_ / "snapshots"; }

  bool is_nothing_left() const {
    return happens([&] { return !exists(given()) || is_empty(given()); });
  }

  NatsServer server_;
  NatsConnection server_side_{server_.options(), 10s};
  NatsConnection joiner_side_{server_.options(), 10s};
  TempDirectory directory_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<SnapshotServer> snapshots_;
  std::stop_source stop_;
  std::string epoch_;
  const std::filesystem::path fetched_ = directory_ / "fetched.db";
};

using R_CLUSTER_6_Snapshot = SnapshotTest;

TEST_F(R_CLUSTER_6_Snapshot, ArrivesComplete) {
  serve();
  ASSERT_TRUE(fetch("a", fetched_));
  ASSERT_GT(std::filesystem::file_size(fetched_), 3 * kSnapshotPiece);
  const auto engine = open_sqlite_engine({.file = fetched_});
  EXPECT_EQ(engine->epoch(), epoch_);
  EXPECT_EQ(engine->head(), 2000);
  EXPECT_TRUE(is_nothing_left());
}

TEST_F(SnapshotTest, ReplacesWhatAnEarlierAttemptHasLeft) {
  serve();
  std::ofstream(fetched_) << std::string(10 << 20, 'x');
  ASSERT_TRUE(fetch("a", fetched_));
  EXPECT_EQ(open_sqlite_engine({.file = fetched_})->head(), 2000);
}

// Each has a file of its own: the journal goes on between them.
TEST_F(R_CLUSTER_6_Snapshot, TwoAtOnceDoNotMix) {
  serve();
  const auto other = directory_ / "other.db";
  auto second = std::async(std::launch::async, [&] {
    NatsConnection connection(server_.options(), 10s);
    return fetch_snapshot(connection, "a", other, stop_.get_token());
  });
  EXPECT_TRUE(fetch("a", fetched_));
  EXPECT_TRUE(second.get());
  for (const auto& file : {fetched_, other})
    EXPECT_EQ(open_sqlite_engine({.file = file})->head(), 2000);
}

TEST_F(SnapshotTest, AreGivenToSomeAtOnceAndTheOthersAskAgain) {
  serve({.max_files = 1});
  ASSERT_TRUE(is_answered("{}"));
  const auto refused = fetch("a", fetched_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(refused.error().message, HasSubstr("others are taking theirs"));
  EXPECT_FALSE(exists(fetched_));
}

TEST_F(SnapshotTest, ThatNobodyFetchesIsRemoved) {
  serve({.max_files = 1, .idle = 1ms});
  ASSERT_TRUE(is_answered("{}"));
  EXPECT_TRUE(happens([&] {
    snapshots_->tidy();
    return fetch("a", fetched_).has_value();
  })) << "there is room again";
  EXPECT_TRUE(is_nothing_left());
}

TEST_F(SnapshotTest, IsRemovedWhenTheNodeEndsAndWhenItStarts) {
  serve();
  ASSERT_TRUE(is_answered("{}"));
  snapshots_.reset();
  EXPECT_FALSE(exists(given()));
  std::filesystem::create_directories(given());
  std::ofstream(given() / "left.db") << "x";
  serve();
  EXPECT_TRUE(is_nothing_left());
}

// Passes everything on to the node a, but one byte.
class DamagingWay {
 public:
  DamagingWay(const NatsServer& server, std::size_t at)
      : forward_(server.options(), 10s), connection_(server.options(), 10s) {
    connection_.subscribe(
        "oriel.snapshot.damaged",
        [this, at](const NatsMessage& message) {
          auto answer = forward_.request("oriel.snapshot.a", message.body, 10s);
          if (!answer) return;
          if (answer->body.size() > at) answer->body[at] ^= 1;
          connection_.publish(message.reply, answer->body);
        },
        1 << 20);
  }

 private:
  NatsConnection forward_;
  NatsConnection connection_;
};

TEST_F(SnapshotTest, ThatWasDamagedOnItsWayIsNoticedAndRemoved) {
  serve();
  const DamagingWay way(server_, 200'000);
  const auto result = fetch("damaged", fetched_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kCannotRead);
  EXPECT_FALSE(exists(fetched_));
}

TEST_F(SnapshotTest, OfAJournalInMemoryIsRefusedWithTheReason) {
  journal_ = std::make_unique<Journal>(make_memory_engine({}), JournalOptions{});
  serve();
  const auto result = fetch("a", fetched_);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("in memory"));
}

TEST_F(SnapshotTest, OfANodeThatIsNotThereIsAnError) {
  const auto result = fetch("a", fetched_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNodeUnreachable);
}

TEST_F(SnapshotTest, FetchEndsWhenTheNodeStops) {
  serve();
  stop_.request_stop();
  EXPECT_EQ(fetch("a", fetched_).error().kind, ErrorKind::kStopping);
}

TEST_F(SnapshotTest, GarbageIsAnswered) {
  serve();
  for (const char* request : {"x", "[]", R"({"id": "../../etc/passwd", "offset": 0})",
                              R"({"id": 1})", R"({"id": "a", "offset": -1})"})
    EXPECT_TRUE(is_answered(request)) << request;
}

TEST(InstalledSnapshot, ReplacesAJournalWithItsLogAndItsHighWater) {
  TempDirectory directory;
  const auto journal = directory / "journal.db";
  const auto snapshot = directory / "fetched.db";
  { commit_many(*open_sqlite_engine({.file = snapshot}), 3, "new"); }
  std::filesystem::copy_file(snapshot, directory / "copy.db");
  {
    const auto engine = open_sqlite_engine({.file = journal});
    commit_many(*engine, 10, "old");
    // As a killed process leaves them.
    std::filesystem::copy_file(journal.string() + "-wal", directory / "wal");
  }
  std::filesystem::rename(directory / "wal", journal.string() + "-wal");
  install_snapshot(snapshot, journal);
  EXPECT_FALSE(exists(snapshot));
  EXPECT_EQ(bytes_of(journal), bytes_of(directory / "copy.db"));
  const auto engine = open_sqlite_engine({.file = journal});
  EXPECT_EQ(engine->head(), 3);
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
  EXPECT_EQ(engine->read({}).records[0]->session_id, "new");
}

TEST(InstalledSnapshot, IsRefusedWhileAProcessUsesTheJournal) {
  TempDirectory directory;
  const auto journal = directory / "journal.db";
  const auto engine = open_sqlite_engine({.file = journal});
  std::ofstream(directory / "fetched.db") << "x";
  EXPECT_THROW(install_snapshot(directory / "fetched.db", journal), std::runtime_error);
  EXPECT_TRUE(exists(journal));
}

TEST(SnapshotDigest, ChangesWithEachByteAndTheLength) {
  TempDirectory directory;
  std::string bytes(kSnapshotPiece + 10, 'x');
  std::vector<std::uint64_t> digests;
  const auto digest = [&] {
    std::ofstream(directory / "file", std::ios::binary) << bytes;
    digests.push_back(snapshot_digest(directory / "file"));
  };
  digest();
  bytes[7] = 'y';
  digest();
  bytes[kSnapshotPiece + 3] = 'y';
  digest();
  bytes += '\0';
  digest();
  for (std::size_t i = 0; i < digests.size(); ++i)
    EXPECT_EQ(std::count(digests.begin(), digests.end(), digests[i]), 1);
}

}  // namespace
}  // namespace oriel
