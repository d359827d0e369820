#include "journal/sqlite/sqlite_sessions.h"

#include <vector>

namespace oriel {

SqliteSessions::SqliteSessions(SqliteDatabase& database, SqliteSessionsOptions options)
    : options_(options),
      find_(database,
            "SELECT id, max(removed, coalesce("
            "  (SELECT max(idx) + 1 FROM session_index WHERE session = sessions.id), 0)) "
            "FROM sessions WHERE name = ?1"),
      insert_(database, "INSERT INTO sessions(name) VALUES (?1) RETURNING id"),
      get_indexed_(database, "SELECT value FROM meta WHERE key = 'indexed'"),
      set_indexed_(database,
                   "UPDATE meta SET value = max(value, coalesce((SELECT max(seq) FROM events), 0)) "
                   "WHERE key = 'indexed' RETURNING value"),
      add_to_index_(database,
                    "INSERT INTO session_index SELECT session, idx, seq FROM events "
                    "WHERE seq > ?1 AND session > 0 ORDER BY session, idx"),
      add_entry_(database,
                 "INSERT OR IGNORE INTO session_index SELECT id, ?2, ?3 FROM sessions "
                 "WHERE name = ?1"),
      last_by_session_(database,
                       "SELECT session, max(idx) FROM events WHERE seq <= ?1 AND session > 0 "
                       "GROUP BY session"),
      set_removed_(database, "UPDATE sessions SET removed = ?2 WHERE id = ?1"),
      remove_from_index_(database, "DELETE FROM session_index WHERE session = ?1 AND idx < ?2"),
      newest_(database, "SELECT coalesce(max(id), 0) FROM sessions"),
      examine_(database,
               "SELECT id, name, EXISTS (SELECT 1 FROM session_index WHERE session = sessions.id) "
               "FROM sessions WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT 500"),
      delete_(database, "DELETE FROM sessions WHERE id = ?1") {}

SqliteSessions::Position SqliteSessions::next_position(const std::string& name) {
  auto found = cache_.find(name);
  if (found == cache_.end()) found = cache_.emplace(name, load(name)).first;
  Session& session = found->second;
  return {.session = session.id, .index = session.next_index++};
}

SqliteSessions::Session SqliteSessions::load(const std::string& name) {
  if (!is_complete_) catch_up();
  {
    SqliteRows rows = find_.query(name);
    if (rows.next()) return {.id = rows.number(0), .next_index = rows.number(1)};
  }
  SqliteRows rows = insert_.query(name);
  rows.expect();
  return {.id = rows.number(0), .next_index = 0};
}

void SqliteSessions::appended(Sequence head) {
  if (is_complete_ && head - indexed_ < options_.max_lag) return;
  catch_up();
  if (cache_.size() > options_.max_cached) cache_.clear();
}

Sequence SqliteSessions::indexed() {
  SqliteRows rows = get_indexed_.query();
  rows.expect();
  return static_cast<Sequence>(rows.number(0));
}

void SqliteSessions::index_readable(SqliteReader& reader) {
  Sequence done = indexed();
  while (true) {
    const Page page = reader.read({.after = done, .filter = {}});
    if (page.scanned_until == done) break;  // the end
    for (const RecordPtr& record : page.records)
      add_entry_.run(record->session_id, record->index, record->sequence);
    done = page.scanned_until;
  }
  SqliteRows rows = set_indexed_.query();
  rows.expect();
}

void SqliteSessions::catch_up() {
  add_to_index_.run(indexed());
  SqliteRows rows = set_indexed_.query();
  rows.expect();
  indexed_ = static_cast<Sequence>(rows.number(0));
  is_complete_ = true;
}

void SqliteSessions::remove_until(Sequence last) {
  if (!is_complete_ || last > indexed_) catch_up();
  SqliteRows rows = last_by_session_.query(last);
  while (rows.next()) {
    const std::int64_t session = rows.number(0);
    const std::int64_t removed = rows.number(1) + 1;
    set_removed_.run(session, removed);
    remove_from_index_.run(session, removed);
  }
}

void SqliteSessions::evict_unused() {
  SqliteRows newest = newest_.query();
  newest.expect();
  const std::int64_t last = newest.number(0) - options_.max_sessions;
  if (last <= 0) return;
  catch_up();

  std::int64_t examined = examined_;
  std::vector<std::int64_t> unused;
  SqliteRows rows = examine_.query(examined_, last);
  while (rows.next()) {
    examined = rows.number(0);
    const bool has_events = rows.number(2) != 0;
    if (has_events) continue;
    unused.push_back(examined);
    cache_.erase(std::string(rows.text(1)));
  }
  for (const std::int64_t id : unused)
    delete_.run(id);
  // Start over at the end: retention may have removed the events of sessions that had some.
  examined_ = examined == examined_ ? 0 : examined;
}

void SqliteSessions::rolled_back() {
  cache_.clear();
  is_complete_ = false;
}

}  // namespace oriel
