#include "journal/sqlite/sqlite_sessions.h"

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_schema.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

class SqliteSessionsTest : public testing::Test {
 protected:
  SqliteSessionsTest() {
    database_.execute("PRAGMA synchronous = OFF");
    migrate(database_);
  }

  // Appends an event as the engine does; returns its index.
  std::int64_t append(SqliteSessions& sessions, const std::string& name) {
    const SqliteSessions::Position position = sessions.next_position(name);
    SqliteStatement insert(database_,
                           "INSERT INTO events(seq, session, idx, time, type, project, body) "
                           "VALUES (?1, ?2, ?3, 0, '', '', '')");
    insert.run(++head_, position.session, position.index);
    sessions.appended(head_);
    return position.index;
  }

  // Removes all events but the newest, as retention does.
  void remove_old(SqliteSessions& sessions) {
    sessions.remove_until(head_ - 1);
    SqliteStatement(database_, "DELETE FROM events WHERE seq < ?1").run(head_);
  }

  std::int64_t indexed_events() { return database_.integer("SELECT count(*) FROM session_index"); }

  bool has_session(const std::string& name) {
    SqliteStatement find(database_, "SELECT 1 FROM sessions WHERE name = ?1");
    return find.query(name).next();
  }

  TempDirectory directory_;
  SqliteDatabase database_{directory_ / "events.db", SqliteDatabase::Access::kReadWrite};
  Sequence head_ = 0;
};

TEST_F(SqliteSessionsTest, UpdatesTheIndexWhenItLagsTooFar) {
  SqliteSessions sessions(database_, {.max_lag = 10});
  for (int i = 0; i < 9; ++i)
    append(sessions, "a");
  EXPECT_EQ(indexed_events(), 0);
  append(sessions, "a");
  EXPECT_EQ(indexed_events(), 10);
}

TEST_F(SqliteSessionsTest, IndexesContinueAfterTheCacheIsCleared) {
  SqliteSessions sessions(database_, {.max_lag = 7, .max_cached = 3});
  for (int round = 0; round < 20; ++round) {
    for (const char* name : {"a", "b", "c", "d", "e"})
      EXPECT_EQ(append(sessions, name), round);
  }
}

TEST_F(SqliteSessionsTest, IndexesContinueInAnotherProcess) {
  for (int round = 0; round < 5; ++round) {
    SqliteSessions sessions(database_, {.max_lag = 3});
    EXPECT_EQ(append(sessions, "a"), 2 * round);
    EXPECT_EQ(append(sessions, "a"), 2 * round + 1);
    EXPECT_EQ(append(sessions, "b"), round);
  }
}

TEST_F(SqliteSessionsTest, ForgetsARolledBackTransaction) {
  SqliteSessions sessions(database_, {.max_lag = 3});
  append(sessions, "a");
  {
    const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kWrite);
    for (int i = 0; i < 10; ++i)
      append(sessions, "a");
    append(sessions, "b");
  }
  sessions.rolled_back();
  head_ = 1;
  EXPECT_EQ(append(sessions, "a"), 1);
  EXPECT_EQ(append(sessions, "b"), 0);
}

TEST_F(SqliteSessionsTest, EvictsSessionsWithoutEventsOnceManyNewerOnesExist) {
  SqliteSessions sessions(database_, {.max_sessions = 10});
  append(sessions, "gone");
  remove_old(sessions);
  append(sessions, "later");
  remove_old(sessions);
  for (int i = 0; i < 9; ++i)
    append(sessions, "other-" + std::to_string(i));
  sessions.evict_unused();
  EXPECT_FALSE(has_session("gone"));
  EXPECT_TRUE(has_session("later"));
  EXPECT_EQ(append(sessions, "gone"), 0);
}

TEST_F(SqliteSessionsTest, KeepsSessionsThatHaveEvents) {
  SqliteSessions sessions(database_, {.max_sessions = 10});
  append(sessions, "old");
  for (int i = 0; i < 30; ++i)
    append(sessions, "other-" + std::to_string(i));
  for (int i = 0; i < 3; ++i)
    sessions.evict_unused();
  EXPECT_EQ(append(sessions, "old"), 1);
}

TEST_F(SqliteSessionsTest, EvictsSessionsThatLoseTheirEventsLater) {
  SqliteSessions sessions(database_, {.max_sessions = 10});
  append(sessions, "old");
  for (int i = 0; i < 30; ++i)
    append(sessions, "other-" + std::to_string(i));
  sessions.evict_unused();
  remove_old(sessions);
  for (int i = 0; i < 3; ++i)
    sessions.evict_unused();
  EXPECT_FALSE(has_session("old"));
}

}  // namespace
}  // namespace oriel
