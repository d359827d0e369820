#pragma once
// Assigns indexes to a session's events in the SQLite journal, and maintains the index by session.
//
// Events are appended to one table ordered by sequence, at constant cost. Updating the index from
// (session, idx) to sequence with each of them would touch a random page every time; so it lags
// behind, and is updated with thousands of events at once, sorted. Readers use it up to `indexed`
// and scan the events after that.

#include "base/sequence.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_reader.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace oriel {

struct SqliteSessionsOptions {
  Sequence max_lag = 8192;          // events
  std::size_t max_cached = 65'536;  // sessions in memory after the index has caught up
  std::int64_t max_sessions =
      1'000'000;  // a session without events is evicted once this many are newer
};

// Used on the journal's thread. Everything but construction and rolled_back() requires a write
// transaction.
class SqliteSessions {
 public:
  SqliteSessions(SqliteDatabase& database, SqliteSessionsOptions options);

  struct Position {
    std::int64_t session = 0;  // sessions.id; 0: none
    std::int64_t index = 0;
  };

  // The position of the session's next event. The caller inserts the event or rolls back.
  Position next_position(const std::string& name);

  // Updates the index if the events up to `head` exceed its lag.
  void appended(Sequence head);

  // Updates the index with those events that `reader` can read. The other way fails if one cannot
  // be read.
  void index_readable(SqliteReader& reader);

  // Removes the events up to `last` from the index. Call before deleting them.
  void remove_until(Sequence last);

  // Evicts some of the sessions without events, so that their number stays bounded.
  void evict_unused();

  // The current transaction was rolled back, with everything done here.
  void rolled_back();

 private:
  struct Session {
    std::int64_t id;
    std::int64_t next_index;
  };

  Session load(const std::string& name);
  Sequence indexed();
  void catch_up();

  SqliteSessionsOptions options_;
  SqliteStatement find_;
  SqliteStatement insert_;
  SqliteStatement get_indexed_;
  SqliteStatement set_indexed_;
  SqliteStatement add_to_index_;
  SqliteStatement add_entry_;
  SqliteStatement last_by_session_;
  SqliteStatement set_removed_;
  SqliteStatement remove_from_index_;
  SqliteStatement newest_;
  SqliteStatement examine_;
  SqliteStatement delete_;

  std::unordered_map<std::string, Session> cache_;
  bool is_complete_ = false;        // the cache has every session with events not yet indexed
  Sequence indexed_ = kNoSequence;  // valid while the cache is complete
  std::int64_t examined_ = 0;       // last sessions.id that evict_unused() has examined
};

}  // namespace oriel
