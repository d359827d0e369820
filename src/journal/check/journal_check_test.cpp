#include "journal/check/journal_check.h"

#include "base/temp_directory_testing.h"
#include "journal/check/journal_repair.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <fstream>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

// 100 events of two sessions, all in the index but the last two, and two documents.
class CheckedJournal : public testing::Test {
 protected:
  CheckedJournal() {
    {
      const auto engine = open();
      for (int i = 0; i < 49; ++i)
        commit_each(*engine, {"a", "b"});
      engine->commit({}, documents_);
    }
    commit_each(*open(), {"a", "b"});
  }

  std::unique_ptr<JournalEngine> open() {
    return open_sqlite_engine({.file = file_, .durability = Durability::kProcess, .retention = {}});
  }

  void execute(const std::string& sql) {
    SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite).execute(sql);
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
  const std::vector<Document> documents_ = {{.key = "session/a", .value = "{}"},
                                            {.key = "session/b", .value = "{}"}};
};

TEST_F(CheckedJournal, ASoundOneHasNoProblems) {
  const JournalCheck check = check_journal(file_);
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(check.oldest, 1);
  EXPECT_EQ(check.newest, 100);
  EXPECT_EQ(check.sound, 100);
  EXPECT_EQ(check.lost, 0);
  EXPECT_EQ(check.documents, 2);
}

TEST_F(CheckedJournal, CanBeInUse) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  EXPECT_EQ(check_journal(file_).sound, 101);
}

TEST_F(CheckedJournal, AnEmptyOneIsSound) {
  const std::filesystem::path empty = directory_ / "empty.db";
  open_sqlite_engine({.file = empty, .durability = Durability::kProcess, .retention = {}});
  EXPECT_TRUE(check_journal(empty).is_sound());
}

TEST_F(CheckedJournal, EveryKindOfDamageIsNamed) {
  const std::vector<std::pair<const char*, const char*>> damages = {
      {"UPDATE events SET body = 'x' WHERE seq = 40", "event 40 is missing or was changed"},
      {"DELETE FROM events WHERE seq BETWEEN 40 AND 44", "events 40 to 44 are missing"},
      {"UPDATE session_index SET seq = 7 WHERE idx = 12", "the index of the events by session"},
      {"DELETE FROM session_index WHERE idx = 12", "the index of the events by session"},
      {"UPDATE documents SET value = '' WHERE key = 'session/b'", "the document session/b"},
      {"UPDATE sessions SET name = 'c' WHERE name = 'b'", "event 2 is missing or was changed"},
  };
  const std::filesystem::path sound = directory_ / "sound.db";
  std::filesystem::copy_file(file_, sound);
  for (const auto& [damage, problem] : damages) {
    std::filesystem::copy_file(sound, file_, std::filesystem::copy_options::overwrite_existing);
    execute(damage);
    EXPECT_THAT(check_journal(file_).problems, Contains(HasSubstr(problem))) << damage;
  }
}

TEST_F(CheckedJournal, DamageOfTheNewestEventsIsNoticedAtStart) {
  EXPECT_EQ(open()->opening_damage(), std::nullopt);
  execute("UPDATE events SET time = 1 WHERE seq = 90");
  EXPECT_THAT(open()->opening_damage(), Optional(HasSubstr("event 90 is missing or was changed")));
}

TEST_F(CheckedJournal, AStartReadsOnlyTheNewestEvents) {
  execute("UPDATE events SET time = 1 WHERE seq = 90");
  const CheckLimits newest{.newest_events = 10};
  EXPECT_TRUE(check_events(file_, newest).is_sound());
  EXPECT_EQ(check_events(file_, newest).sound, 10);
  EXPECT_FALSE(check_events(file_, {.newest_events = 11}).is_sound());
}

TEST_F(CheckedJournal, OfAnotherProgramIsRefused) {
  const std::filesystem::path other = directory_ / "other.db";
  SqliteDatabase(other, SqliteDatabase::Access::kReadWrite).execute("CREATE TABLE bookmarks(url)");
  EXPECT_THROW(check_journal(other), std::runtime_error);
}

TEST_F(CheckedJournal, RepairedKeepsEverythingThatIsReadableWithItsNumbers) {
  const std::string old_epoch = open()->epoch();
  execute(
      "UPDATE events SET body = 'x' WHERE seq = 40;"
      "DELETE FROM events WHERE seq BETWEEN 60 AND 61;"
      "DELETE FROM session_index WHERE idx = 12;"
      "UPDATE documents SET value = '' WHERE key = 'session/b'");
  const JournalRepair repair = repair_journal(file_);
  EXPECT_EQ(repair.events, 97);
  EXPECT_EQ(repair.lost, 3);
  EXPECT_EQ(repair.documents, 1);
  EXPECT_TRUE(std::filesystem::exists(repair.old_file));
  EXPECT_FALSE(check_journal(repair.old_file).is_sound());

  const JournalCheck check = check_journal(file_);
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(check.sound, 97);
  EXPECT_EQ(check.known_missing, 3);
  const auto engine = open();
  EXPECT_NE(engine->epoch(), old_epoch);
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
  EXPECT_THAT(engine->read_documents(""), ElementsAre(documents_[0]));
  const Page page = engine->read({.after = 39, .filter = {}});
  EXPECT_EQ(page.missed, 1);
  EXPECT_EQ(page.records.front()->sequence, 41);
  const NewRecords added = commit_each(*engine, {"a", "b"});
  EXPECT_THAT(sequences_of(added), ElementsAre(101, 102));
  EXPECT_THAT(indexes_of(added), ElementsAre(50, 50));
}

TEST_F(CheckedJournal, RepairedHasTheLongTextsOfItsEvents) {
  const std::string body = "\"text\":\"" + std::string(100'000, 'x') + "\"}";
  commit_many(*open(), 3, "a", body);
  EXPECT_EQ(repair_journal(file_).events, 103);
  const SessionPage page = open()->read_session({.session_id = "a", .after_index = 49});
  ASSERT_THAT(page.records, SizeIs(3));
  EXPECT_EQ(page.records.back()->body, body);
}

TEST_F(CheckedJournal, RepairedAssignsNoNumberOfADamagedTailAgain) {
  execute("UPDATE events SET body = 'x' WHERE seq >= 99");
  EXPECT_EQ(repair_journal(file_).lost, 2);
  const auto engine = open();
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a"})), ElementsAre(102)) << "after the notice";
}

TEST_F(CheckedJournal, RepairedAssignsNoNumberOfALostTailAgain) {
  const std::filesystem::path backup = directory_ / "backup.db";
  std::filesystem::copy_file(file_, backup);
  { commit_many(*open(), 5, "a"); }
  std::filesystem::copy_file(backup, file_, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(repair_journal(file_).lost, 5);
  const auto engine = open();
  const Page page = engine->read({.after = 100, .filter = {}});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(106));
  EXPECT_EQ(page.missed, 5);
  EXPECT_THAT(page.records.front()->body, HasSubstr("the events 101 to 105 were stored"));
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a"})), ElementsAre(107));
}

TEST_F(CheckedJournal, InUseIsNotRepaired) {
  const auto engine = open();
  EXPECT_THROW(repair_journal(file_), std::runtime_error);
  EXPECT_EQ(engine->read({}).records.size(), 100);
}

}  // namespace
}  // namespace oriel
