#include "journal/checkpoint/sqlite_checkpointer.h"

#include "base/log_capture_testing.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

#include <atomic>
#include <sqlite3.h>
#include <thread>

namespace oriel {
namespace {

// While it lives, SQLite opens database files whose writes can be made to fail.
class FullDatabaseFile {
 public:
  FullDatabaseFile() : vfs_(*original_) {
    vfs_.zName = "full-database-file";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
    is_full = false;
    failures = 0;
  }

  ~FullDatabaseFile() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(original_, 1);
  }

  FullDatabaseFile(const FullDatabaseFile&) = delete;
  FullDatabaseFile& operator=(const FullDatabaseFile&) = delete;

  static inline std::atomic<bool> is_full = false;
  static inline std::atomic<int> failures = 0;

 private:
  static int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags,
                  int* opened_as) {
    const int code = original_->xOpen(original_, name, file, flags, opened_as);
    if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return code;
    static const sqlite3_io_methods* const kOriginal = file->pMethods;
    static const sqlite3_io_methods kFull = [] {
      sqlite3_io_methods methods = *kOriginal;
      methods.xWrite = [](sqlite3_file* its_file, const void* bytes, int size, sqlite3_int64 at) {
        if (!is_full) return kOriginal->xWrite(its_file, bytes, size, at);
        ++failures;
        return SQLITE_FULL;
      };
      return methods;
    }();
    file->pMethods = &kFull;
    return code;
  }

  static inline sqlite3_vfs* const original_ = sqlite3_vfs_find(nullptr);
  sqlite3_vfs vfs_;
};

TEST(SqliteCheckpointer, AFailureThatRepeatsIsLoggedOnce) {
  const FullDatabaseFile files;
  const TempDirectory directory;
  const std::filesystem::path file = directory / "journal.db";
  SqliteDatabase database(file, SqliteDatabase::Access::kReadWrite);
  database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x)");
  database.execute("INSERT INTO t VALUES(zeroblob(100000))");
  const LogCapture log;
  TransactionGate gate;
  {
    SqliteCheckpointer checkpointer(file, gate);
    FullDatabaseFile::is_full = true;
    const int pages = CheckpointLimits::for_page_size(4096).full;
    while (FullDatabaseFile::failures < 3) {
      checkpointer.committed(pages);
      std::this_thread::yield();
    }
  }
  FullDatabaseFile::is_full = false;
  EXPECT_EQ(log.lines("cannot checkpoint"), 1U) << log.text();
}

}  // namespace
}  // namespace oriel
