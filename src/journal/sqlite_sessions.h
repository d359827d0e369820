#pragma once
// Sessions in the SQLite journal: which row a name has, which index its next event gets, and where
// its events are.
//
// Events are appended to one table in the order of their sequence, which costs the same however
// many there are. The index from (session, idx) to sequence would cost a random page for each of
// them; so it lags behind a little, and catches up with thousands at once, sorted. Readers find by
// it what is up to `indexed`, and scan the rest.

#include "base/sequence.h"
#include "journal/sqlite_database.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace oriel {

struct SqliteSessionsOptions {
  Sequence max_lag = 8192;          // events that the index may lag behind
  std::size_t max_cached = 65'536;  // sessions in memory, when the index has caught up
  std::int64_t max_remembered =
      1'000'000;  // a session without events is forgotten after so many newer ones
};

// The writing side. Lives on the journal's thread; everything but construction and rolled_back()
// belongs into a write transaction.
class SqliteSessions {
 public:
  SqliteSessions(SqliteDatabase& database, SqliteSessionsOptions options);

  struct Place {
    std::int64_t session = 0;  // 0: none
    std::int64_t index = 0;
  };

  // Where the next event of this session goes. The caller puts it there, or rolls back.
  Place next_place(const std::string& name);

  // Lets the index catch up if events up to `head` make it lag too far.
  void appended(Sequence head);

  // Takes the events up to `last` out of the index. To be called before they are deleted.
  void remove_until(Sequence last);

  // Forgets some of the sessions that have had no events for long: else names would pile up for
  // ever.
  void forget_unused();

  // The transaction did not happen, nor what was done in it here.
  void rolled_back();

 private:
  struct Session {
    std::int64_t id;
    std::int64_t next_index;
  };

  Session load(const std::string& name);
  void catch_up();

  SqliteSessionsOptions options_;
  SqliteStatement find_;
  SqliteStatement insert_;
  SqliteStatement get_indexed_;
  SqliteStatement set_indexed_;
  SqliteStatement add_to_index_;
  SqliteStatement last_by_session_;
  SqliteStatement set_removed_;
  SqliteStatement remove_from_index_;
  SqliteStatement newest_;
  SqliteStatement examine_;
  SqliteStatement forget_;

  std::unordered_map<std::string, Session> cache_;
  bool is_complete_ =
      false;  // the cache has every session with events that are not in the index yet
  Sequence indexed_ = kNoSequence;  // known while the cache is complete
  std::int64_t examined_ = 0;       // how far forget_unused() has come
};

}  // namespace oriel
