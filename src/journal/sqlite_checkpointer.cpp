#include "journal/sqlite_checkpointer.h"

#include "base/log.h"

#include <chrono>

namespace oriel {
namespace {

constexpr int kStepBytes = 4 << 20;  // moved at a time
// A log of this length is to start anew. Not a shorter one: every time, commits wait for the disk
// at last.
constexpr int kLongBytes = 32 << 20;
constexpr int kTooLongBytes = 64 << 20;  // at this length commits wait for it
constexpr int kRestBytes = 256 << 10;    // moved in some milliseconds
constexpr std::chrono::seconds kPauseAfterFailure(1);

}  // namespace

SqliteCheckpointer::SqliteCheckpointer(const std::filesystem::path& file)
    : database_(file, SqliteDatabase::Access::kReadWrite),
      page_bytes_(static_cast<int>(database_.integer("PRAGMA page_size"))) {
  // Synced enough to survive a power loss undamaged, whatever the commits promise.
  database_.execute("PRAGMA synchronous = NORMAL");
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "checkpointer");
}

SqliteCheckpointer::~SqliteCheckpointer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

SqliteCheckpointer::Pass SqliteCheckpointer::enter_read() {
  return enter(reads_);
}

SqliteCheckpointer::Pass SqliteCheckpointer::enter_write() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_too_long_; });
  }
  return enter(writes_);
}

SqliteCheckpointer::Pass SqliteCheckpointer::enter(std::mutex& gate) {
  const std::lock_guard turn(turn_);
  return Pass(gate);
}

void SqliteCheckpointer::committed(int wal_pages) {
  {
    const std::lock_guard lock(mutex_);
    if (wal_pages < log_pages_) looked_pages_ = 0;  // it has started anew
    log_pages_ = wal_pages;
    is_too_long_ = wal_pages >= kTooLongBytes / page_bytes_;
    if (!is_due()) return;
  }
  changed_.notify_all();
}

bool SqliteCheckpointer::is_long() const {
  return log_pages_ >= kLongBytes / page_bytes_;
}

bool SqliteCheckpointer::is_due() const {
  return is_long() || log_pages_ - looked_pages_ >= kStepBytes / page_bytes_;
}

void SqliteCheckpointer::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || is_due(); });
    if (stopping_) return;
    const bool is_whole = is_long();
    looked_pages_ = log_pages_;
    lock.unlock();
    bool has_failed = false;
    try {
      if (is_whole)
        move_all();
      else
        database_.checkpoint();
    } catch (const SqliteError& failure) {
      has_failed = true;
      log()->warn("journal: its log cannot be moved into its file: {}", failure.what());
    }
    lock.lock();
    if (has_failed) changed_.wait_for(lock, kPauseAfterFailure, [this] { return stopping_; });
    if (!is_whole) continue;
    // Even after a failure: what is committed is safe in the log, and the next commit asks again.
    log_pages_ = 0;
    looked_pages_ = 0;
    is_too_long_ = false;
    changed_.notify_all();
  }
}

void SqliteCheckpointer::move_all() {
  const int rest_pages = kRestBytes / page_bytes_;
  const int too_long_pages = kTooLongBytes / page_bytes_;
  SqliteDatabase::Checkpoint done = database_.checkpoint();
  while (done.log_pages - done.moved_pages > rest_pages && done.log_pages < too_long_pages) {
    done = database_.checkpoint();
  }
  // The last part syncs the file, with all that is not synced yet: so that is done now, while
  // commits go on.
  database_.sync();
  database_.checkpoint();
  const std::lock_guard turn(turn_);
  const Pass reads(reads_);
  const Pass writes(writes_);
  database_.checkpoint();
}

}  // namespace oriel
