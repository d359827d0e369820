// What the SQLite journal acknowledged survives a kill of its process at any moment.

#include "child_process.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <random>
#include <sstream>

namespace oriel {
namespace {

constexpr int kRounds = 25;
constexpr Milliseconds kWriterPatience{60'000};

struct Acknowledged {
  Sequence sequence = kNoSequence;
  std::string session_id;
  std::uint64_t index = 0;
  std::string text;
};

// Lets a writer work until it has acknowledged about this many bytes of lines, and kills it.
std::vector<Acknowledged> write_until_killed(const std::filesystem::path& file, int round,
                                             std::size_t enough) {
  TestProcess writer({.words = {ORIEL_JOURNAL_WRITER, file.string(), std::to_string(round)}});
  const auto has_enough = [&] { return writer.out().size() >= enough || !writer.is_running(); };
  if (!eventually(has_enough, kWriterPatience) || !writer.is_running()) {
    throw std::runtime_error("the writer does not write: " + writer.err());
  }
  writer.signal(SIGKILL);
  writer.wait_exit();

  std::vector<Acknowledged> lines;
  std::istringstream out(writer.out());
  Acknowledged line;
  while (out >> line.sequence >> line.session_id >> line.index >> line.text)
    lines.push_back(line);
  return lines;
}

class JournalRecovery : public testing::Test {
 protected:
  std::unique_ptr<JournalEngine> open() {
    return open_sqlite_engine({.file = file_, .durability = Durability::kProcess, .retention = {}});
  }

  // Reads what came after `head_`, checks that its numbers have no holes, and returns it by
  // sequence.
  std::map<Sequence, RecordPtr> read_new(JournalEngine& engine) {
    std::map<Sequence, RecordPtr> records;
    while (head_ < engine.head()) {
      const Page page = engine.read({.after = head_, .filter = {}});
      EXPECT_EQ(page.missed, 0);
      for (const RecordPtr& record : page.records) {
        EXPECT_EQ(record->sequence, ++head_);
        EXPECT_EQ(record->index, next_indexes_[record->session_id]++);
        records.emplace(record->sequence, record);
      }
      if (page.scanned_until != head_) throw std::runtime_error("sequences are missing");
    }
    return records;
  }

  // That each session can be read whole, by index.
  void check_sessions(JournalEngine& engine) {
    for (const auto& [session_id, next_index] : next_indexes_) {
      SessionQuery query{.session_id = session_id};
      std::uint64_t count = 0;
      while (true) {
        const SessionPage page = engine.read_session(query);
        EXPECT_EQ(page.last_index + 1, next_index);
        if (page.records.empty()) break;
        for (const RecordPtr& record : page.records)
          EXPECT_EQ(record->index, count++);
        query.after_index = static_cast<std::int64_t>(count) - 1;
      }
      EXPECT_EQ(count, next_index);
    }
  }

  void check_integrity() {
    SqliteDatabase database(file_, SqliteDatabase::Access::kReadOnly);
    SqliteStatement check(database, "PRAGMA integrity_check");
    SqliteRows rows = check.query();
    rows.expect();
    EXPECT_EQ(rows.text(0), "ok");
  }

  TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "events.db";
  Sequence head_ = kNoSequence;
  std::map<std::string, std::uint64_t> next_indexes_;
};

TEST_F(JournalRecovery, EverythingAcknowledgedSurvivesAKill) {
  const std::string epoch = open()->epoch();
  std::mt19937 random(std::random_device{}());
  std::size_t acknowledged = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t enough = random() % 50'000;
    SCOPED_TRACE("round " + std::to_string(round) + ", killed after " + std::to_string(enough));
    const std::vector<Acknowledged> lines = write_until_killed(file_, round, enough);

    const auto engine = open();
    EXPECT_EQ(engine->epoch(), epoch);
    const std::map<Sequence, RecordPtr> records = read_new(*engine);
    for (const Acknowledged& line : lines) {
      const auto found = records.find(line.sequence);
      ASSERT_NE(found, records.end()) << line.sequence;
      const Record& record = *found->second;
      EXPECT_EQ(record.session_id, line.session_id);
      EXPECT_EQ(record.index, line.index);
      EXPECT_THAT(record.body, testing::HasSubstr("\"text\":\"" + line.text + "\""));
    }
    check_integrity();
    acknowledged += lines.size();
  }
  EXPECT_GT(acknowledged, 1000);
  check_sessions(*open());
}

// Reads everything, and checks that numbers rise by 1 or are counted as missing. Returns how many
// are.
std::uint64_t count_missing(JournalEngine& engine) {
  Sequence reached = kNoSequence;
  Sequence next = 1;
  std::uint64_t missing = 0;
  while (reached < engine.head()) {
    const Page page = engine.read({.after = reached, .filter = {}});
    if (page.scanned_until <= reached) throw std::runtime_error("a page makes no progress");
    reached = page.scanned_until;
    missing += page.missed;
    next += page.missed;
    for (const RecordPtr& record : page.records)
      EXPECT_EQ(record->sequence, next++);
  }
  EXPECT_EQ(next, engine.head() + 1);
  return missing;
}

TEST_F(JournalRecovery, AShorterWriteAheadLogIsAnnouncedAndNoNumberIsAssignedAgain) {
  for (const std::uintmax_t share : {2, 3, 100}) {
    SCOPED_TRACE("1/" + std::to_string(share) + " of the log remains");
    std::filesystem::remove(file_);
    const std::string old_epoch = open()->epoch();
    const std::vector<Acknowledged> lines = write_until_killed(file_, 0, 20'000);
    Sequence highest = kNoSequence;
    for (const Acknowledged& line : lines)
      highest = std::max(highest, line.sequence);
    const std::filesystem::path log = file_.string() + "-wal";
    std::filesystem::resize_file(log, std::filesystem::file_size(log) / share);

    const auto engine = open();
    EXPECT_NE(engine->epoch(), old_epoch);
    EXPECT_GT(engine->head(), highest);
    EXPECT_GT(count_missing(*engine), 0);
  }
}

}  // namespace
}  // namespace oriel
