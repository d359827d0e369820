#pragma once
// Removes the oldest events of a SQLite journal by age and size, a slice at a time.

#include "journal/journal_engine.h"
#include "journal/sqlite/sqlite_contents.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_sessions.h"

namespace oriel {

// Used on the journal's thread. Never removes the newest event: the next sequence follows from it.
class SqliteRetention {
 public:
  SqliteRetention(SqliteDatabase& database, SqliteSessions& sessions, SqliteContents& contents,
                  Retention limits);

  struct Slice {
    Sequence last = kNoSequence;  // removes the events up to here; 0: none
    bool is_final = true;         // no more to remove after it
  };

  // The next events to remove, of about `max_bytes`, all before `head`.
  Slice next_slice(WallTime now, Sequence head, std::uint64_t max_bytes);

  // The next events that are too old at `now`: at most `max_events`, all before `head`.
  Slice next_aged(WallTime now, Sequence head, std::uint64_t max_events);

  // Requires a write transaction.
  void remove(const Slice& slice);

 private:
  bool is_too_old(std::int64_t time, WallTime now) const;
  std::uint64_t excess_bytes();
  std::uint64_t bytes_of(const SqliteRows& row);

  SqliteSessions& sessions_;
  SqliteContents& contents_;
  Retention limits_;
  std::int64_t page_bytes_;
  SqliteStatement page_count_;
  SqliteStatement free_pages_;
  SqliteStatement oldest_;
  SqliteStatement delete_;
};

}  // namespace oriel
