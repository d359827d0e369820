// A file that has lost its latest commits, such as one restored from a backup.

#include "journal/sqlite/sqlite_epoch.h"

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

// The events 4 to 8 were stored after the backup that takes the file's place.
class RestoredJournal : public testing::Test {
 protected:
  RestoredJournal() {
    { commit_each(*open(), {"a", "b", "a"}); }
    std::filesystem::copy_file(file_, backup_);
    {
      const auto engine = open();
      old_epoch_ = engine->epoch();
      commit_many(*engine, 5, "a");
    }
    restore();
  }

  std::unique_ptr<JournalEngine> open() {
    return open_sqlite_engine({.file = file_, .durability = Durability::kProcess, .retention = {}});
  }

  void restore() {
    std::filesystem::copy_file(backup_, file_, std::filesystem::copy_options::overwrite_existing);
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
  const std::filesystem::path backup_ = directory_ / "backup.db";
  std::string old_epoch_;
};

TEST_F(RestoredJournal, GetsANewEpochAndAssignsNoNumberAgain) {
  const auto engine = open();
  EXPECT_NE(engine->epoch(), old_epoch_);
  EXPECT_EQ(engine->head(), 9);
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a"})), ElementsAre(10));
}

TEST_F(RestoredJournal, SaysWhatItHasLost) {
  EXPECT_THAT(open()->opening_damage(), Optional(HasSubstr("the events 4 to 8 were stored")));
  EXPECT_EQ(open()->opening_damage(), std::nullopt) << "once";
}

TEST_F(RestoredJournal, ShowsItsReadersTheHoleAndANotice) {
  const auto engine = open();
  const Page before = engine->read({});
  EXPECT_THAT(sequences_of(before.records), ElementsAre(1, 2, 3));
  EXPECT_EQ(before.scanned_until, 3);
  const Page after = engine->read({.after = 3, .filter = {}});
  ASSERT_THAT(sequences_of(after.records), ElementsAre(9));
  EXPECT_EQ(after.missed, 5);
  EXPECT_EQ(after.scanned_until, 9);
  EXPECT_EQ(after.damaged, kNoSequence) << "the hole is known";
  const Record& notice = *after.records[0];
  EXPECT_EQ(notice.session_id, "");
  EXPECT_EQ(notice.event_type, EventType::kSystem);
  EXPECT_THAT(notice.body, HasSubstr("the events 4 to 8 were stored and are missing now"));
}

TEST_F(RestoredJournal, ThatWasMovedAwayIsStartedAnew) {
  std::filesystem::remove(file_);
  const auto engine = open();
  EXPECT_EQ(engine->head(), 0);
  EXPECT_THAT(engine->read({}).records, IsEmpty());
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
}

}  // namespace
}  // namespace oriel
