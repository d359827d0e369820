// A SQLite journal with damaged events: they are omitted and reported to readers.

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite_database.h"
#include "journal/sqlite_engine.h"

#include <gmock/gmock.h>

#include <fstream>

namespace oriel {
namespace {

using testing::ElementsAre;

// The events 1 to 5 of a session are in the index, 6 and 7 are not.
class DamagedJournal : public testing::Test {
 protected:
  DamagedJournal() {
    { commit_many(*open(), 5, "a"); }
    { commit_each(*open(), {"a", "a"}); }
  }

  std::unique_ptr<JournalEngine> open() {
    return open_sqlite_engine({.file = file_, .durability = Durability::kProcess, .retention = {}});
  }

  // Opens the file after it was modified from outside.
  std::unique_ptr<JournalEngine> open_after(const std::string& sql) {
    SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite).execute(sql);
    return open();
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
};

constexpr const char* kChangeThird = R"(UPDATE events SET body = '"text":2}' WHERE seq = 3)";
constexpr const char* kDeleteThird = "DELETE FROM events WHERE seq = 3";
constexpr const char* kDeleteThirdEntry = "DELETE FROM session_index WHERE idx = 2";

TEST_F(DamagedJournal, ASoundOneMissesNothing) {
  const auto engine = open();
  const Page page = engine->read({});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(page.missed, 0);
  EXPECT_EQ(page.damaged, kNoSequence);
  EXPECT_EQ(engine->read_session({.session_id = "a"}).damaged, kNoSequence);
}

TEST_F(DamagedJournal, AChangedOrDeletedEventIsAGapBeforeTheNext) {
  for (const char* damage : {kChangeThird, kDeleteThird}) {
    const auto engine = open_after(damage);
    const Page before = engine->read({});
    EXPECT_THAT(sequences_of(before.records), ElementsAre(1, 2)) << damage;
    EXPECT_EQ(before.scanned_until, 2);
    EXPECT_EQ(before.missed, 0);

    const Page after = engine->read({.after = before.scanned_until, .filter = {}});
    EXPECT_THAT(sequences_of(after.records), ElementsAre(4, 5, 6, 7)) << damage;
    EXPECT_EQ(after.missed, 1);
    EXPECT_EQ(after.damaged, 3);
  }
}

TEST_F(DamagedJournal, AHoleAtTheEndOfAReadIsCounted) {
  const auto engine = open_after("DELETE FROM events WHERE seq BETWEEN 3 AND 5");
  const Page page = engine->read({.after = 2, .until = 4, .filter = {}});
  EXPECT_THAT(sequences_of(page.records), ElementsAre());
  EXPECT_EQ(page.scanned_until, 4);
  EXPECT_EQ(page.missed, 2);
}

TEST_F(DamagedJournal, AReaderOfASessionGetsTheSameGap) {
  for (const char* damage : {kChangeThird, kDeleteThird}) {
    const auto engine = open_after(damage);
    const Page before = engine->read({.filter = of_sessions({"a"})});
    EXPECT_THAT(sequences_of(before.records), ElementsAre(1, 2)) << damage;
    EXPECT_EQ(before.scanned_until, 2);

    const Page after = engine->read({.after = 2, .filter = of_sessions({"a"})});
    EXPECT_THAT(sequences_of(after.records), ElementsAre(4, 5)) << damage;
    EXPECT_EQ(after.missed, 1);
    EXPECT_EQ(after.damaged, 3);
  }
}

TEST_F(DamagedJournal, AHoleInTheIndexIsAGapToo) {
  const auto engine = open_after(kDeleteThirdEntry);
  const Page before = engine->read({.filter = of_sessions({"a"})});
  EXPECT_THAT(sequences_of(before.records), ElementsAre(1, 2));
  EXPECT_EQ(before.missed, 0);
  const Page after = engine->read({.after = before.scanned_until, .filter = of_sessions({"a"})});
  EXPECT_THAT(sequences_of(after.records), ElementsAre(4, 5));
  EXPECT_EQ(after.missed, 1);
}

TEST_F(DamagedJournal, AnIndexThatLeadsToAnotherSessionShowsNothingOfIt) {
  { commit_each(*open(), {"other"}); }
  const auto engine = open_after("UPDATE session_index SET seq = 8 WHERE idx = 4");
  const SessionPage page = engine->read_session({.session_id = "a", .after_index = 3});
  EXPECT_THAT(indexes_of(page.records), ElementsAre(5, 6));
  EXPECT_EQ(page.damaged, 8);
}

TEST_F(DamagedJournal, AnIndexOutOfOrderFailsTheRead) {
  const auto engine = open_after("UPDATE session_index SET seq = 6 - seq");
  EXPECT_THROW(engine->read({.filter = of_sessions({"a"})}), StorageDamage);
}

TEST_F(DamagedJournal, APollOfASessionGoesOnAfterTheDamage) {
  for (const char* damage : {kChangeThird, kDeleteThird, kDeleteThirdEntry}) {
    const auto engine = open_after(damage);
    const SessionPage before = engine->read_session({.session_id = "a"});
    EXPECT_THAT(indexes_of(before.records), ElementsAre(0, 1)) << damage;
    EXPECT_EQ(before.scanned_until, 1);

    const SessionPage after = engine->read_session({.session_id = "a", .after_index = 1});
    EXPECT_THAT(indexes_of(after.records), ElementsAre(3, 4, 5, 6)) << damage;
    EXPECT_EQ(after.scanned_until, 6);
    EXPECT_NE(after.damaged, kNoSequence);
  }
}

TEST_F(DamagedJournal, AnEventWithoutAChecksumIsServed) {
  const auto engine = open_after("UPDATE events SET crc = NULL");
  EXPECT_THAT(sequences_of(engine->read({}).records), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

TEST_F(DamagedJournal, ADamagedPageFailsTheReadAsDamage) {
  { commit_many(*open(), 1000, "b", std::string(300, 'x')); }
  const auto engine = open();
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file_));
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  // Not the first pages, which hold the schema, and which the engine has read already.
  constexpr std::streamoff kSkipped = 10 * 4096;
  file.seekp(kSkipped);
  file << std::string(static_cast<std::size_t>(size - kSkipped), '\xff');
  file.close();
  EXPECT_THROW(engine->read_session({.session_id = "b"}), StorageDamage);
}

}  // namespace
}  // namespace oriel
