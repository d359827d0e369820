#pragma once
// Copies SQLite's write-ahead log into the database file in the background.

#include "base/failure_log.h"
#include "base/mutex.h"
#include "journal/checkpoint/checkpoint_policy.h"
#include "journal/checkpoint/transaction_gate.h"
#include "journal/sqlite/sqlite_database.h"

#include <filesystem>
#include <optional>
#include <string>
#include <thread>

namespace oriel {

// Has a thread and a connection of its own, because a checkpoint syncs the disk and commits must
// not wait for that.
//
// SQLite restarts the log only when all of it has been copied and no transaction uses it. Under
// steady load that never happens, so a full checkpoint holds transactions back at the gate while it
// copies the last few pages.
class SqliteCheckpointer {
 public:
  // Every transaction on the file enters `gate`, which must outlive the checkpointer.
  SqliteCheckpointer(const std::filesystem::path& file, TransactionGate& gate);
  ~SqliteCheckpointer();
  SqliteCheckpointer(const SqliteCheckpointer&) = delete;
  SqliteCheckpointer& operator=(const SqliteCheckpointer&) = delete;

  // Reports the length of the log after a commit.
  void committed(int log_pages);

  // The sync that failed, if one did. Checkpoints have ended then.
  std::optional<std::string> failed_sync();

 private:
  void run();
  CheckpointKind wait_until_due();
  bool checkpoint(CheckpointKind kind);
  void log_failure(const std::exception& failure);
  void end_checkpoints(const std::string& failed_sync);
  void pause_after_failure();
  void resume_commits();
  void checkpoint_fully();

  SqliteDatabase database_;
  TransactionGate& gate_;
  const CheckpointLimits limits_;
  FailureLog failures_;

  // The journal's thread reports commits; the checkpointer's thread waits for them.
  Mutex mutex_;
  ConditionVariable changed_;
  CheckpointPolicy policy_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::optional<std::string> failed_sync_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace oriel
