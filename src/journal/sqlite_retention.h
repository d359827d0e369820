#pragma once
// What the SQLite journal lets go: its oldest events, by age and by size, a slice at a time.

#include "journal/journal_engine.h"
#include "journal/sqlite_database.h"
#include "journal/sqlite_sessions.h"

namespace oriel {

// Lives on the journal's thread. Never removes the newest event: the next numbers follow from it.
class SqliteRetention {
 public:
  SqliteRetention(SqliteDatabase& database, SqliteSessions& sessions, Retention limits);

  struct Slice {
    Sequence last = kNoSequence;  // events up to here may go; none when 0
    bool is_final = true;         // nothing is known to be left after it
  };

  // The next events to go before `head`, of about `max_bytes`.
  Slice next_slice(WallTime now, Sequence head, std::uint64_t max_bytes);

  // Removes them. Belongs into a write transaction.
  void remove(const Slice& slice);

 private:
  std::uint64_t excess_bytes();

  SqliteSessions& sessions_;
  Retention limits_;
  std::int64_t page_bytes_;
  SqliteStatement page_count_;
  SqliteStatement free_pages_;
  SqliteStatement oldest_;
  SqliteStatement delete_;
};

}  // namespace oriel
