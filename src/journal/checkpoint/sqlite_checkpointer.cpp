#include "journal/checkpoint/sqlite_checkpointer.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "runtime/run_or_abort.h"

#include <chrono>

namespace oriel {
namespace {

constexpr std::chrono::seconds kRetryDelay(1);

}  // namespace

SqliteCheckpointer::SqliteCheckpointer(const std::filesystem::path& file, TransactionGate& gate)
    : database_(file, SqliteDatabase::Access::kReadWrite),
      gate_(gate),
      limits_(
          CheckpointLimits::for_page_size(static_cast<int>(database_.integer("PRAGMA page_size")))),
      policy_(limits_) {
  // A power loss during a checkpoint must not damage the file, whatever commits promise.
  database_.execute("PRAGMA synchronous = NORMAL");
  const auto work = [this] { run_or_abort("checkpointer", [this] { run(); }); };
  thread_ = std::thread(work);
  pthread_setname_np(thread_.native_handle(), "checkpointer");
}

SqliteCheckpointer::~SqliteCheckpointer() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SqliteCheckpointer::committed(int log_pages) {
  {
    const MutexLock lock(mutex_);
    policy_.committed(log_pages);
    if (policy_.must_stall_commits() && !failed_sync_) gate_.stall_writes();
    if (policy_.due() == CheckpointKind::kNone) return;
  }
  changed_.notify_all();
}

std::optional<std::string> SqliteCheckpointer::failed_sync() {
  const MutexLock lock(mutex_);
  return failed_sync_;
}

void SqliteCheckpointer::run() {
  for (auto kind = wait_until_due(); kind != CheckpointKind::kNone; kind = wait_until_due()) {
    if (!checkpoint(kind)) pause_after_failure();
    // Also after a failure: commits continue, they are safe in the log.
    if (kind == CheckpointKind::kFull) resume_commits();
  }
}

// Returns kNone when the checkpointer stops.
CheckpointKind SqliteCheckpointer::wait_until_due() {
  const MutexLock lock(mutex_);
  while (!stopping_ && (failed_sync_ || policy_.due() == CheckpointKind::kNone))
    changed_.wait(mutex_);
  if (stopping_) return CheckpointKind::kNone;
  const CheckpointKind kind = policy_.due();
  policy_.started();
  return kind;
}

bool SqliteCheckpointer::checkpoint(CheckpointKind kind) {
  try {
    ORIEL_FAILPOINT(kCheckpointBefore);
    if (kind == CheckpointKind::kFull) {
      checkpoint_fully();
    } else {
      database_.checkpoint();
    }
    ORIEL_FAILPOINT(kCheckpointAfter);
    return true;
  } catch (const SqliteError& failure) {
    log_failure(failure);
    if (failure.is_failed_sync()) end_checkpoints(failure.problem());
  } catch (const std::exception& failure) {
    log_failure(failure);
  }
  return false;
}

void SqliteCheckpointer::log_failure(const std::exception& failure) {
  const auto left_out = failures_.admit(failure.what(), std::chrono::steady_clock::now());
  if (!left_out) return;
  log()->warn("journal: cannot checkpoint the write-ahead log: {}{}", failure.what(),
              FailureLog::note(*left_out));
}

void SqliteCheckpointer::end_checkpoints(const std::string& failed_sync) {
  const MutexLock lock(mutex_);
  failed_sync_ = failed_sync;
  gate_.resume_writes();
}

void SqliteCheckpointer::pause_after_failure() {
  const auto deadline = std::chrono::steady_clock::now() + kRetryDelay;
  const MutexLock lock(mutex_);
  while (!stopping_ && changed_.wait_until(mutex_, deadline)) {
  }
}

void SqliteCheckpointer::resume_commits() {
  const MutexLock lock(mutex_);
  policy_.restarted();
  gate_.resume_writes();
}

void SqliteCheckpointer::checkpoint_fully() {
  SqliteDatabase::Checkpoint done = database_.checkpoint();
  while (done.log_pages - done.copied_pages > limits_.final && done.log_pages < limits_.max)
    done = database_.checkpoint();
  // The last checkpoint syncs the file: sync most of it now, while commits continue.
  database_.sync();
  database_.checkpoint();
  const auto pass = gate_.enter(TransactionGate::Access::kExclusive);
  database_.checkpoint();
}

}  // namespace oriel
