#pragma once
// Moves SQLite's write-ahead log into the database file, so that the log stays short.

#include "journal/sqlite_database.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace oriel {

// Works on a thread and a connection of its own, because moving syncs the disk, and commits shall
// not wait for that. It moves a little at a time: all at once it would take a processor from
// deliveries, and the disk from commits, for too long.
//
// The log starts anew only when all of it has been moved and nobody reads from it. While events
// keep coming that moment never comes by itself, and the log would grow without end; so for its
// last small part reads and commits are held back. Commits wait too when they are faster than the
// disk, until the log is short again.
//
// Readers and writers block their threads, which therefore cannot be posted to: they ask for a
// pass.
class SqliteCheckpointer {
 public:
  explicit SqliteCheckpointer(const std::filesystem::path& file);
  ~SqliteCheckpointer();
  SqliteCheckpointer(const SqliteCheckpointer&) = delete;
  SqliteCheckpointer& operator=(const SqliteCheckpointer&) = delete;

  using Pass = std::unique_lock<std::mutex>;

  // To be held as long as the transaction.
  Pass enter_read();
  Pass enter_write();

  // How long the log is after a commit.
  void committed(int wal_pages);

 private:
  Pass enter(std::mutex& gate);
  void run();
  void move_all();
  bool is_long() const;
  bool is_due() const;

  SqliteDatabase database_;
  const int page_bytes_;

  std::mutex turn_;  // held while waiting for a gate: who waits cannot be overtaken
  std::mutex reads_;
  std::mutex writes_;

  std::mutex mutex_;
  std::condition_variable changed_;
  int log_pages_ = 0;         // as the last commit has told; guarded by mutex_
  int looked_pages_ = 0;      // how many there were when some were moved last; guarded by mutex_
  bool is_too_long_ = false;  // commits wait; guarded by mutex_
  bool stopping_ = false;     // guarded by mutex_
  std::thread thread_;
};

}  // namespace oriel
