#include "journal/sqlite_checkpointer.h"

#include "core/log.h"

#include <chrono>

namespace oriel {
namespace {

constexpr int kStartBytes = 16 << 20;  // a log of this length is moved
constexpr int kHoldBytes =
    48 << 20;  // one of this length grows faster than it can be moved beside the commits
constexpr int kRestBytes = 1 << 20;  // moved in some milliseconds
constexpr std::chrono::seconds kRetryAfter(1);

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
  wake_.notify_one();
  thread_.join();
}

SqliteCheckpointer::Pass SqliteCheckpointer::enter(std::mutex& gate) {
  const std::lock_guard turn(turn_);
  return Pass(gate);
}

void SqliteCheckpointer::committed(int wal_pages) {
  if (wal_pages < kStartBytes / page_bytes_) return;
  {
    const std::lock_guard lock(mutex_);
    is_due_ = true;
  }
  wake_.notify_one();
}

void SqliteCheckpointer::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || is_due_; });
    if (stopping_) return;
    lock.unlock();
    bool has_failed = false;
    try {
      move_log();
    } catch (const SqliteError& failure) {
      has_failed = true;
      log()->warn("journal: its log could not be moved into the file: {}", failure.what());
    }
    lock.lock();
    is_due_ = has_failed;
    if (has_failed) wake_.wait_for(lock, kRetryAfter, [this] { return stopping_; });
  }
}

void SqliteCheckpointer::move_log() {
  const int rest_pages = kRestBytes / page_bytes_;
  const int hold_pages = kHoldBytes / page_bytes_;
  SqliteDatabase::Checkpoint done = database_.checkpoint();
  while (done.log_pages - done.moved_pages > rest_pages && done.log_pages < hold_pages) {
    done = database_.checkpoint();
  }
  const std::lock_guard turn(turn_);
  const Pass reads(reads_);
  const Pass writes(writes_);
  database_.checkpoint();
}

}  // namespace oriel
