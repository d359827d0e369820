#include "journal/failpoints/sync_failpoints.h"

#include "base/failpoint.h"
#include "base/mutex.h"

#include <atomic>
#include <exception>
#include <map>
#include <sqlite3.h>

#ifndef ORIEL_NO_FAILPOINTS
namespace oriel {
namespace {

// SQLite's own access to files, with another sync.
class SyncFailpoints {
 public:
  SyncFailpoints() : original_(sqlite3_vfs_find(nullptr)), vfs_(*original_) {
    vfs_.zName = "sync-failpoints";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }

  static SyncFailpoints& instance() {
    static SyncFailpoints failpoints;
    return failpoints;
  }

 private:
  static int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags,
                  int* opened_as) {
    SyncFailpoints& self = instance();
    const int code = self.original_->xOpen(self.original_, name, file, flags, opened_as);
    if (code == SQLITE_OK && file->pMethods != nullptr)
      file->pMethods = self.with_failpoints(file->pMethods);
    return code;
  }

  // SQLite's methods differ between kinds of files, but not their sync.
  const sqlite3_io_methods* with_failpoints(const sqlite3_io_methods* original) {
    const MutexLock lock(mutex_);
    const auto [found, is_new] = methods_.try_emplace(original, *original);
    if (is_new) {
      sync_ = original->xSync;
      found->second.xSync = sync;
    }
    return &found->second;
  }

  static int sync(sqlite3_file* file, int flags) {
    try {
      ORIEL_FAILPOINT(kSyncBefore);
      const int code = instance().sync_.load()(file, flags);
      ORIEL_FAILPOINT(kSyncAfter);
      return code;
    } catch (const std::exception&) {
      return SQLITE_IOERR_FSYNC;
    }
  }

  sqlite3_vfs* original_;
  sqlite3_vfs vfs_;
  std::atomic<int (*)(sqlite3_file*, int)> sync_ = nullptr;
  Mutex mutex_;  // files are opened on several threads
  std::map<const sqlite3_io_methods*, sqlite3_io_methods> methods_ GUARDED_BY(mutex_);
};

}  // namespace

void add_sync_failpoints() {
  SyncFailpoints::instance();
}

}  // namespace oriel
#endif
