#pragma once
// Copies SQLite's write-ahead log into the database file in the background.

#include "journal/checkpoint_policy.h"
#include "journal/sqlite_database.h"
#include "journal/transaction_gate.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace oriel {

// Has a thread and a connection of its own, because a checkpoint syncs the disk and commits must
// not wait for that.
//
// SQLite lets the log start over only when all of it has been copied and no transaction uses it.
// Under steady load that never happens by itself, so a full checkpoint holds transactions back at
// its gate while it copies the last few pages.
class SqliteCheckpointer {
 public:
  // Every transaction on the file enters `gate`, which must outlive the checkpointer.
  SqliteCheckpointer(const std::filesystem::path& file, TransactionGate& gate);
  ~SqliteCheckpointer();
  SqliteCheckpointer(const SqliteCheckpointer&) = delete;
  SqliteCheckpointer& operator=(const SqliteCheckpointer&) = delete;

  // Reports the length of the log after a commit.
  void committed(int log_pages);

 private:
  void run();
  void checkpoint(CheckpointKind kind);
  void checkpoint_fully();

  SqliteDatabase database_;
  TransactionGate& gate_;
  const CheckpointLimits limits_;

  std::mutex mutex_;
  std::condition_variable changed_;
  CheckpointPolicy policy_;  // guarded by mutex_
  bool stopping_ = false;    // guarded by mutex_
  std::thread thread_;
};

}  // namespace oriel
