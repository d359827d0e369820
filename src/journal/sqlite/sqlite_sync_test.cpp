// A disk that fails a sync: the kernel then takes lost data for stored, so nothing may follow.

#include "base/mutex.h"
#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <sqlite3.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Optional;

// While it lives, SQLite opens files whose syncs can be made to fail.
class FailingSyncs {
 public:
  FailingSyncs() : original_(find_original()), vfs_(*original_) {
    fails = false;
    vfs_.zName = "failing-syncs";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
    current_ = this;
  }

  ~FailingSyncs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(original_, 1);
  }

  FailingSyncs(const FailingSyncs&) = delete;
  FailingSyncs& operator=(const FailingSyncs&) = delete;

  static inline std::atomic<bool> fails = false;

 private:
  static sqlite3_vfs* find_original() {
    // The first connection registers the failpoints, which outlive this.
    SqliteDatabase(":memory:", SqliteDatabase::Access::kReadWrite);
    return sqlite3_vfs_find(nullptr);
  }

  static int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags,
                  int* opened_as) {
    sqlite3_vfs* original = current_->original_;
    const int code = original->xOpen(original, name, file, flags, opened_as);
    if (code != SQLITE_OK || file->pMethods == nullptr) return code;
    file->pMethods = current_->with_failing_sync(file->pMethods);
    return code;
  }

  // SQLite's methods differ between kinds of files, but not their sync.
  const sqlite3_io_methods* with_failing_sync(const sqlite3_io_methods* original) {
    const MutexLock lock(mutex_);
    const auto [found, is_new] = methods_.try_emplace(original, *original);
    if (is_new) {
      sync_ = original->xSync;
      found->second.xSync = [](sqlite3_file* file, int flags) {
        return fails ? SQLITE_IOERR_FSYNC : sync_.load()(file, flags);
      };
    }
    return &found->second;
  }

  static inline FailingSyncs* current_ = nullptr;
  static inline std::atomic<int (*)(sqlite3_file*, int)> sync_ = nullptr;
  sqlite3_vfs* original_;
  sqlite3_vfs vfs_;
  Mutex mutex_;  // files are opened on several threads
  std::map<const sqlite3_io_methods*, sqlite3_io_methods> methods_ GUARDED_BY(mutex_);
};

class FailedSync : public testing::Test {
 protected:
  std::unique_ptr<JournalEngine> open(Durability durability) {
    return open_sqlite_engine({.file = file_, .durability = durability, .retention = {}});
  }

  FailingSyncs syncs_;
  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
};

TEST_F(FailedSync, OfACommitEndsCommitsForGood) {
  const auto engine = open(Durability::kPower);
  commit_each(*engine, {"a"});
  FailingSyncs::fails = true;
  EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
  FailingSyncs::fails = false;
  EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
  EXPECT_THAT(engine->loss(), Optional(HasSubstr("the disk did not confirm")));
  EXPECT_EQ(engine->head(), 1);
}

TEST_F(FailedSync, OfACheckpointEndsCommitsForGood) {
  const auto engine = open(Durability::kProcess);
  FailingSyncs::fails = true;
  const auto commit_until_it_fails = [&] {
    for (int i = 0; i < 200; ++i)
      commit_many(*engine, 1000, "a", std::string(1000, 'x'));
  };
  EXPECT_THROW(commit_until_it_fails(), StorageLoss);
  FailingSyncs::fails = false;
  EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
  EXPECT_NE(engine->loss(), std::nullopt);
}

TEST_F(FailedSync, LeavesWhatWasStoredForTheNextStart) {
  {
    const auto engine = open(Durability::kPower);
    commit_each(*engine, {"a", "a"});
    FailingSyncs::fails = true;
    EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
    FailingSyncs::fails = false;
  }
  EXPECT_TRUE(std::filesystem::exists(file_.string() + "-wal"));
  EXPECT_GE(open(Durability::kPower)->head(), 2);
}

TEST_F(FailedSync, LeavesTheMarkOfUnsyncedCommits) {
  {
    const auto engine = open(Durability::kProcess);
    FailingSyncs::fails = true;
    const auto commit_until_it_fails = [&] {
      for (int i = 0; i < 200; ++i)
        commit_many(*engine, 1000, "a", std::string(1000, 'x'));
    };
    EXPECT_THROW(commit_until_it_fails(), StorageLoss);
    FailingSyncs::fails = false;
  }
  SqliteDatabase database(file_, SqliteDatabase::Access::kReadOnly);
  EXPECT_EQ(database.integer("SELECT count(*) FROM meta WHERE key = 'unsynced_boot'"), 1);
}

// /dev/null takes writes and refuses syncs.
TEST_F(FailedSync, OfTheHighestSequenceEndsCommitsForGood) {
  std::filesystem::create_symlink("/dev/null", file_.string() + ".head");
  const auto engine = open(Durability::kPower);
  EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
  EXPECT_THROW(commit_each(*engine, {"a"}), StorageLoss);
  EXPECT_THAT(engine->loss(), Optional(HasSubstr("did not confirm what was written (journal.db.")));
}

TEST_F(FailedSync, OfTheHighestSequenceIsNotAskedForWithoutPower) {
  std::filesystem::create_symlink("/dev/null", file_.string() + ".head");
  const auto engine = open(Durability::kProcess);
  commit_each(*engine, {"a"});
  EXPECT_EQ(engine->loss(), std::nullopt);
}

}  // namespace
}  // namespace oriel
