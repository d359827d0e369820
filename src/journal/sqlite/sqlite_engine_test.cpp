#include "journal/sqlite/sqlite_engine.h"

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_schema.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;
using testing::SizeIs;

class SqliteEngine : public testing::Test {
 protected:
  std::unique_ptr<JournalEngine> open(Durability durability = Durability::kProcess,
                                      Retention retention = {}) {
    return open_sqlite_engine({.file = file_, .durability = durability, .retention = retention});
  }

  // The message of the exception that open() throws.
  std::string open_error() {
    try {
      open();
    } catch (const std::runtime_error& failure) {
      return failure.what();
    }
    return "it was opened";
  }

  // Modifies the file from outside the engine.
  void execute(const std::string& sql) {
    SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite).execute(sql);
  }

  TempDirectory directory_;
  const fs::path file_ = directory_ / "events.db";
};

TEST_F(SqliteEngine, KeepsEverythingWhenItIsReopened) {
  std::string epoch;
  {
    const auto engine = open();
    epoch = engine->epoch();
    commit_each(*engine, {"a", "b", "", "a"});
  }
  const auto engine = open();
  EXPECT_EQ(engine->epoch(), epoch);
  EXPECT_EQ(engine->head(), 4);
  EXPECT_EQ(engine->oldest(), 1);
  EXPECT_THAT(sequences_of(engine->read({}).records), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(indexes_of(commit_each(*engine, {"b", "a", "c"})), ElementsAre(1, 2, 0));
  EXPECT_THAT(indexes_of(engine->read_session({.session_id = "a"}).records), ElementsAre(0, 1, 2));
}

TEST_F(SqliteEngine, AssignsNoNumberTwiceAfterRetentionAndReopening) {
  const Retention short_lived{.max_age = milliseconds(1), .max_bytes = 0};
  {
    const auto engine = open(Durability::kProcess, short_lived);
    commit_many(*engine, 5, "a");
    commit_many(*engine, 1, "b");
    engine->apply_retention(WallTime(milliseconds(1'000'000)));
  }
  const auto engine = open(Durability::kProcess, short_lived);
  EXPECT_EQ(engine->oldest(), 6);
  const NewRecords records = commit_each(*engine, {"a"});
  EXPECT_EQ(records[0]->sequence, 7);
  EXPECT_EQ(records[0]->index, 5);
}

TEST_F(SqliteEngine, IsPrivateToItsUser) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
    const fs::perms mode = entry.status().permissions();
    EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << entry;
  }
}

TEST_F(SqliteEngine, RejectsAFileThatAnotherProcessUses) {
  const auto engine = open();
  EXPECT_THAT(open_error(),
              AllOf(HasSubstr("another Oriel uses this data directory"), HasSubstr(file_.string()),
                    HasSubstr("process " + std::to_string(getpid()))));
}

TEST_F(SqliteEngine, RejectsAMissingDirectory) {
  fs::remove_all(file_.parent_path());
  EXPECT_THAT(open_error(),
              AllOf(HasSubstr(file_.string()), HasSubstr("No such file or directory")));
}

TEST_F(SqliteEngine, RejectsAFileThatIsNoDatabase) {
  std::ofstream(file_) << std::string(10'000, 'x');
  EXPECT_THAT(open_error(), AllOf(HasSubstr(file_.string()), HasSubstr("not a database"),
                                  HasSubstr("move it away")));
}

TEST_F(SqliteEngine, RejectsADamagedFile) {
  { commit_many(*open(), 1000, "a"); }
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << std::string(40'000, '\xff');
  file.close();
  EXPECT_THAT(open_error(),
              AllOf(HasSubstr(file_.string()), HasSubstr("malformed"), HasSubstr("move it away")));
}

TEST_F(SqliteEngine, RejectsTheDatabaseOfAnotherProgram) {
  execute("CREATE TABLE bookmarks(url)");
  EXPECT_THAT(open_error(), AllOf(HasSubstr(file_.string()), HasSubstr("another program")));
}

TEST_F(SqliteEngine, RejectsTheSchemaOfANewerOriel) {
  { open(); }
  execute("PRAGMA user_version = " + std::to_string(kSchemaVersion + 1));
  EXPECT_THAT(open_error(), AllOf(HasSubstr(file_.string()), HasSubstr("newer Oriel"),
                                  HasSubstr("version " + std::to_string(kSchemaVersion + 1)),
                                  HasSubstr("upgrade")));
}

TEST_F(SqliteEngine, RejectsANegativeSchemaVersion) {
  { open(); }
  for (const std::string version : {"-1", "-2", "-2147483648"}) {
    execute("PRAGMA user_version = " + version);
    EXPECT_THAT(open_error(), AllOf(HasSubstr(file_.string()), HasSubstr("damaged"),
                                    HasSubstr(version), HasSubstr("move it away")));
  }
}

TEST_F(SqliteEngine, RejectsNumbersThatCannotBe) {
  const std::vector<std::string> damages = {
      "UPDATE events SET seq = -3 WHERE seq = 1",
      "UPDATE events SET seq = 0 WHERE seq = 1",
      "UPDATE events SET seq = 9223372036854775807 WHERE seq = 4",
      "UPDATE meta SET value = -1 WHERE key = 'indexed'",
      "UPDATE meta SET value = 5 WHERE key = 'indexed'",
      "UPDATE meta SET value = 'x' WHERE key = 'indexed'",
      "DELETE FROM meta WHERE key = 'indexed'",
  };
  for (const std::string& damage : damages) {
    fs::remove(file_);
    { commit_each(*open(), {"a", "b", "a", "b"}); }
    execute(damage);
    EXPECT_THAT(open_error(),
                AllOf(HasSubstr(file_.string()), HasSubstr("damaged"), HasSubstr("move it away")))
        << damage;
  }
}

TEST_F(SqliteEngine, AnImpossibleNumberOfASessionFailsItsReadsAndAppends) {
  for (const std::string removed : {"-1", "9223372036854775807"}) {
    fs::remove(file_);
    { commit_each(*open(), {"a", "b"}); }
    execute("UPDATE sessions SET removed = " + removed + " WHERE name = 'a'");
    const auto engine = open();
    EXPECT_THROW(engine->read_session({.session_id = "a"}), std::runtime_error) << removed;
    EXPECT_THAT(engine->read_session({.session_id = "b"}).records, SizeIs(1));
  }
  const auto engine = open();
  EXPECT_THROW(commit_each(*engine, {"a"}), std::runtime_error);
  EXPECT_THAT(sequences_of(commit_each(*engine, {"b"})), ElementsAre(3));
}

TEST_F(SqliteEngine, StartsANewEpochAfterTheMachineCrashed) {
  std::string epoch;
  { epoch = open()->epoch(); }
  execute("REPLACE INTO meta VALUES ('unsynced_boot', 'another-boot')");
  EXPECT_NE(open()->epoch(), epoch);
}

TEST_F(SqliteEngine, KeepsItsEpochAfterTheProcessCrashed) {
  std::string epoch;
  std::string boot;
  {
    const auto engine = open();
    epoch = engine->epoch();
    SqliteDatabase database(file_, SqliteDatabase::Access::kReadWrite);
    boot = find_meta(database, "unsynced_boot").value();
  }
  // The state that a killed process leaves.
  execute("REPLACE INTO meta VALUES ('unsynced_boot', '" + boot + "')");
  EXPECT_EQ(open()->epoch(), epoch);
}

TEST_F(SqliteEngine, HasNothingUnsyncedOnceItIsClosed) {
  { open(); }
  SqliteDatabase database(file_, SqliteDatabase::Access::kReadWrite);
  EXPECT_EQ(find_meta(database, "unsynced_boot"), std::nullopt);
}

TEST_F(SqliteEngine, HasNothingUnsyncedWithDurabilityForPowerLoss) {
  const auto engine = open(Durability::kPower);
  commit_each(*engine, {"a"});
  SqliteDatabase database(file_, SqliteDatabase::Access::kReadWrite);
  EXPECT_EQ(find_meta(database, "unsynced_boot"), std::nullopt);
}

TEST_F(SqliteEngine, StartsANewEpochWhenItWasDeleted) {
  std::string epoch;
  { epoch = open()->epoch(); }
  execute("DELETE FROM meta WHERE key = 'epoch'");
  EXPECT_NE(open()->epoch(), epoch);
}

TEST_F(SqliteEngine, StaysWithinItsMaximumOfBytes) {
  constexpr std::uint64_t kMaxBytes = 1 << 20;
  const auto engine = open(Durability::kProcess, {.max_age = {}, .max_bytes = kMaxBytes});
  for (int i = 0; i < 60; ++i) {
    commit_many(*engine, 200, "session-" + std::to_string(i % 7), std::string(300, 'x'));
    while (engine->apply_retention(WallTime())) {
    }
  }
  EXPECT_LT(fs::file_size(file_), 2 * kMaxBytes);
  const Page page = engine->read({.filter = {}, .max_records = 1});
  EXPECT_EQ(page.missed, engine->oldest() - 1);
  EXPECT_GT(engine->head() - engine->oldest(), 1500);
}

TEST_F(SqliteEngine, OneSliceRemovesMoreThanOneCommitAdds) {
  const auto engine = open(Durability::kProcess, {.max_age = {}, .max_bytes = 1 << 20});
  const auto commit = [&] { commit_many(*engine, 4000, "a", std::string(300, 'x')); };
  for (int i = 0; i < 5; ++i)
    commit();
  const Sequence oldest = engine->oldest();
  commit();
  engine->apply_retention(WallTime());
  EXPECT_GT(engine->oldest() - oldest, 4000);
}

// Limits the size of the files that this process writes, which acts like a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }

  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(SqliteEngine, AFailedCommitStoresNothing) {
  const auto engine = open();
  commit_each(*engine, {"a", "b"});
  {
    const FileSizeLimit limit(200'000);
    EXPECT_THROW(commit_many(*engine, 3000, "a", std::string(300, 'x')), std::runtime_error);
    EXPECT_THROW(commit_many(*engine, 3000, "new", std::string(300, 'x')), std::runtime_error);
  }
  EXPECT_EQ(engine->head(), 2);
  EXPECT_EQ(engine->loss(), std::nullopt);
  EXPECT_THAT(engine->read({}).records, SizeIs(2));
  EXPECT_EQ(engine->read_session({.session_id = "new"}).last_index, -1);
}

TEST_F(SqliteEngine, ContinuesAfterAFailedCommit) {
  const auto engine = open();
  commit_each(*engine, {"a", "b", "a"});
  {
    const FileSizeLimit limit(200'000);
    EXPECT_THROW(commit_many(*engine, 3000, "a", std::string(300, 'x')), std::runtime_error);
  }
  const NewRecords records = commit_each(*engine, {"a", "new", "b"});
  EXPECT_THAT(sequences_of(records), ElementsAre(4, 5, 6));
  EXPECT_THAT(indexes_of(records), ElementsAre(2, 0, 1));
  EXPECT_THAT(indexes_of(engine->read_session({.session_id = "a"}).records), ElementsAre(0, 1, 2));
}

TEST_F(SqliteEngine, IsNotLostByItsOwnWork) {
  const auto engine = open(Durability::kPower);
  EXPECT_EQ(engine->loss(), std::nullopt);
  // Far enough for checkpoints, with which the log starts over.
  for (int i = 0; i < 40; ++i)
    commit_many(*engine, 1000, "a", std::string(1000, 'x'));
  execute("SELECT count(*) FROM events");
  EXPECT_EQ(engine->loss(), std::nullopt);
}

TEST_F(SqliteEngine, NoticesThatItsFileIsDeleted) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  fs::remove(file_);
  EXPECT_THAT(engine->loss(), Optional(AllOf(HasSubstr("events.db was deleted"),
                                             Not(HasSubstr(directory_.path().string())))));
}

TEST_F(SqliteEngine, NoticesThatItsWriteAheadLogIsDeletedAndKeepsItsEventsWhenClosed) {
  {
    const auto engine = open();
    commit_each(*engine, {"a"});
    fs::remove(file_.string() + "-wal");
    EXPECT_THAT(engine->loss(), Optional(HasSubstr("events.db-wal was deleted")));
  }
  EXPECT_EQ(open()->head(), 1);
}

// Without the lock's file, a second server could open the same journal.
TEST_F(SqliteEngine, NoticesThatItsLockIsDeleted) {
  const auto engine = open();
  fs::remove(file_.string() + ".lock");
  EXPECT_THAT(engine->loss(), Optional(HasSubstr("events.db.lock was deleted")));
}

TEST_F(SqliteEngine, NoticesThatItsFileIsReplaced) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  directory_.add("other.db", "other");
  fs::rename(directory_ / "other.db", file_);
  EXPECT_THAT(engine->loss(), Optional(HasSubstr("events.db was deleted or replaced")));
}

TEST_F(SqliteEngine, KeepsItsWriteAheadLogShortWhileAReaderNeverPauses) {
  const auto engine = open();
  commit_many(*engine, 1000, "a", std::string(300, 'x'));
  std::atomic<bool> is_done = false;
  std::thread reader([&] {
    while (!is_done)
      engine->read({});
  });
  // Twice the maximum length of the log.
  std::uintmax_t longest = 0;
  for (int i = 0; i < 140; ++i) {
    commit_many(*engine, 1000, "a", std::string(1000, 'x'));
    longest = std::max(longest, fs::file_size(file_.string() + "-wal"));
  }
  is_done = true;
  reader.join();
  EXPECT_LT(longest, 80 << 20);
}

}  // namespace
}  // namespace oriel
