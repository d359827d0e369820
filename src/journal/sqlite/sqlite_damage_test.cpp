// A SQLite journal with damaged events: they are omitted and reported to readers.

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

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

TEST_F(DamagedJournal, AWrongIndexIsReadAround) {
  for (const char* damage : {kDeleteThirdEntry, "UPDATE session_index SET seq = 6 - seq",
                             "UPDATE session_index SET seq = 7 WHERE idx = 4"}) {
    const auto engine = open_after(damage);
    const Page page = engine->read({.filter = of_sessions({"a"})});
    EXPECT_THAT(sequences_of(page.records), ElementsAre(1, 2, 3, 4, 5, 6, 7)) << damage;
    EXPECT_EQ(page.missed, 0);
    EXPECT_TRUE(page.has_damaged_index);
  }
}

TEST_F(DamagedJournal, AnIndexThatLeadsToAnotherSessionShowsNothingOfIt) {
  { commit_each(*open(), {"other"}); }
  const auto engine = open_after("UPDATE session_index SET seq = 8 WHERE idx = 4");
  const SessionPage page = engine->read_session({.session_id = "a", .after_index = 3});
  EXPECT_THAT(indexes_of(page.records), ElementsAre(5, 6));
  EXPECT_EQ(page.damaged, 8);
}

TEST_F(DamagedJournal, AnyChangeOfAnEventIsNoticed) {
  const std::vector<std::string> changes = {
      "UPDATE events SET seq = 9 WHERE seq = 3",
      "UPDATE events SET session = 0 WHERE seq = 3",
      "UPDATE events SET idx = 7 WHERE seq = 3",
      "UPDATE events SET idx = -1 WHERE seq = 3",
      "UPDATE events SET time = 17 WHERE seq = 3",
      "UPDATE events SET type = 'other' WHERE seq = 3",
      "UPDATE events SET project = 'other' WHERE seq = 3",
      "UPDATE events SET kind = 'error' WHERE seq = 3",
      "UPDATE events SET type = type || project || 'x', project = '' WHERE seq = 3",
      "UPDATE events SET crc = crc + 1 WHERE seq = 3",
  };
  const std::filesystem::path sound = directory_ / "sound.db";
  std::filesystem::copy_file(file_, sound);
  for (const std::string& change : changes) {
    std::filesystem::copy_file(sound, file_, std::filesystem::copy_options::overwrite_existing);
    const auto engine = open_after(change);
    const Page page = engine->read({.after = 2, .until = 7, .filter = {}});
    EXPECT_EQ(page.damaged, 3) << change;
    EXPECT_EQ(page.missed, 1) << change;
  }
}

TEST_F(DamagedJournal, AChangedSessionNameIsNoticed) {
  const auto engine = open_after("UPDATE sessions SET name = 'b'");
  const Page page = engine->read({});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.missed, 7);
}

TEST_F(DamagedJournal, AChangedDocumentIsLeftOutAndNamed) {
  const std::vector<Document> documents = {{.key = "session/a", .value = "{}"},
                                           {.key = "session/b", .value = "{}"}};
  { open()->commit({}, documents); }
  const auto engine = open_after("UPDATE documents SET value = '{1}' WHERE key = 'session/a'");
  std::vector<std::string> keys;
  const auto note = [&](std::string_view key, std::string_view) { keys.emplace_back(key); };
  EXPECT_EQ(engine->visit_documents({.prefix = "session/"}, note), "session/a");
  EXPECT_THAT(keys, ElementsAre("session/b"));
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

TEST_F(DamagedJournal, ATriggerInTheFileIsNotRun) {
  const auto engine =
      open_after("CREATE TRIGGER other AFTER INSERT ON events BEGIN DELETE FROM events; END");
  commit_each(*engine, {"a"});
  EXPECT_THAT(engine->read({}).records, SizeIs(8));
}

TEST_F(DamagedJournal, AnEventWithoutAChecksumIsServed) {
  const auto engine = open_after("UPDATE events SET crc = NULL");
  EXPECT_THAT(sequences_of(engine->read({}).records), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

// A journal of 2000 events, all in the index, with damaged pages.
class DamagedPages : public DamagedJournal {
 protected:
  static constexpr Sequence kHead = 2000;

  DamagedPages() {
    std::filesystem::remove(file_);
    {
      const auto engine = open();
      for (Sequence sequence = 1; sequence <= kHead; ++sequence)
        records_.push_back(new_record("a", text_of(sequence) + std::string(300, 'x')));
      engine->commit_records(records_);
    }
    { commit_each(*open(), {"new"}); }  // a session that is new completes the index
  }

  static std::string text_of(Sequence sequence) {
    return "event-" + std::to_string(sequence) + "-";
  }

  // Overwrites the page that has this event.
  void damage_page_of(Sequence sequence) {
    constexpr std::size_t kPageBytes = 4096;
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    const std::size_t place = content.find(text_of(sequence));
    if (place == std::string::npos) throw std::runtime_error("no such event in the file");
    file.seekp(static_cast<std::streamoff>(place / kPageBytes * kPageBytes));
    file << std::string(kPageBytes, '\xff');
  }

  // Reads everything that matches. Numbers that are neither read nor missed fail the test.
  void read_all(const EventFilter& filter) {
    const auto engine = open();
    read_.clear();
    missed_ = 0;
    damaged_ = kNoSequence;
    Sequence reached = kNoSequence;
    while (reached < kHead) {
      const Page page = engine->read({.after = reached, .until = kHead, .filter = filter});
      ASSERT_GT(page.scanned_until, reached);
      reached = page.scanned_until;
      missed_ += page.missed;
      if (damaged_ == kNoSequence) damaged_ = page.damaged;
      for (const RecordPtr& record : page.records)
        read_.push_back(record->sequence);
    }
    EXPECT_TRUE(std::ranges::is_sorted(read_));
    EXPECT_EQ(read_.size() + missed_, kHead);
  }

  NewRecords records_;
  std::vector<Sequence> read_;
  std::uint64_t missed_ = 0;
  Sequence damaged_ = kNoSequence;
};

TEST_F(DamagedPages, AreGapsAndEveryOtherEventIsRead) {
  damage_page_of(700);
  damage_page_of(1500);
  for (const EventFilter& filter : {EventFilter{}, of_sessions({"a"})}) {
    read_all(filter);
    EXPECT_GE(missed_, 2);
    EXPECT_LT(missed_, 40);
    EXPECT_LE(damaged_, 700);
    EXPECT_GT(damaged_, 680);
    EXPECT_THAT(read_, Not(Contains(700)));
    EXPECT_THAT(read_, Not(Contains(1500)));
  }
}

TEST_F(DamagedPages, OfOneSessionAreLeftOutOfItsPolls) {
  damage_page_of(700);
  const auto engine = open();
  std::vector<std::uint64_t> indexes;
  SessionPage page;
  while (page.scanned_until + 1 < static_cast<std::int64_t>(kHead)) {
    page = engine->read_session({.session_id = "a", .after_index = page.scanned_until});
    for (const std::uint64_t index : indexes_of(page.records))
      indexes.push_back(index);
  }
  EXPECT_THAT(indexes, Not(Contains(699)));
  EXPECT_GT(indexes.size(), kHead - 20);
}

TEST_F(DamagedPages, OfEventsThatAreNotInTheIndexDoNotEndCommits) {
  SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite)
      .execute("DELETE FROM session_index; UPDATE meta SET value = 0 WHERE key = 'indexed'");
  damage_page_of(700);
  const auto engine = open();
  const NewRecords added = commit_each(*engine, {"a", "new", ""});
  EXPECT_THAT(sequences_of(added), ElementsAre(kHead + 2, kHead + 3, kHead + 4));
  EXPECT_THAT(indexes_of(added), ElementsAre(kHead, 1, 0));
  EXPECT_EQ(engine->read_session({.session_id = "a", .after_index = 1990}).last_index,
            static_cast<std::int64_t>(kHead));
}

TEST_F(DamagedPages, NumbersOutOfOrderHideNothingElse) {
  SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite)
      .execute("DELETE FROM events WHERE seq BETWEEN 800 AND 900");
  damage_page_of(950);
  read_all({});
  EXPECT_GE(missed_, 101);
  EXPECT_LT(missed_, 130);
  EXPECT_EQ(damaged_, 800);
}

TEST_F(DamagedPages, EverywhereFailTheReadAsDamage) {
  const auto engine = open();
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file_));
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  // Not the first pages, which hold the schema, and which the engine has read already.
  constexpr std::streamoff kSkipped = 10 * 4096;
  file.seekp(kSkipped);
  file << std::string(static_cast<std::size_t>(size - kSkipped), '\xff');
  file.close();
  EXPECT_THROW(engine->read_session({.session_id = "a"}), StorageDamage);
}

}  // namespace
}  // namespace oriel
