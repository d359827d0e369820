#include "search/search_writer.h"

#include "search/search_file.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kSlice = 500;  // rows that are removed at once: some ten milliseconds
constexpr std::size_t kBytesPerRow = 64 << 10;  // of a small index fewer rows are removed at once
constexpr std::size_t kMaxCachedSessions = 10'000;
constexpr int kCheckpointPages = 2048;  // 8 MiB of write-ahead log

}  // namespace

std::string session_mark(std::int64_t session) {
  return "s" + std::to_string(session);
}

std::string kind_mark(SearchKind kind) {
  std::string mark = "k";
  for (const char c : name_of(kind)) {
    if (c != '_') mark += c;  // it would be two words
  }
  return mark;
}

std::string actor_mark(TurnActor actor) {
  return "a" + std::string(name_of(actor));
}

std::int64_t hour_of(WallTime time) {
  return std::chrono::floor<std::chrono::hours>(time).time_since_epoch().count();
}

SearchWriter::SearchWriter(const std::filesystem::path& file, const std::string& epoch,
                           Sequence head)
    : database_(open_search_file(file, epoch, head)),
      position_(static_cast<Sequence>(database_->number(
          "SELECT coalesce((SELECT value FROM meta WHERE key = 'position'), 0)"))),
      has_imports_(database_->number("SELECT count(*) FROM meta WHERE key = 'imports'") > 0),
      next_id_(database_->number("SELECT coalesce(max(id), 0) FROM entries") + 1) {
  prepare();
}

void SearchWriter::prepare() {
  const auto statement = [this](std::string_view sql) {
    return std::make_unique<SqliteStatement>(*database_, sql);
  };
  insert_entry_ = statement(
      "INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
  insert_words_ = statement("INSERT INTO words(rowid, text, marks) VALUES (?1, ?2, ?3)");
  remove_entry_ = statement("DELETE FROM entries WHERE id = ?1");
  remove_words_ =
      statement("INSERT INTO words(words, rowid, text, marks) VALUES ('delete', ?1, ?2, ?3)");
  find_session_ = statement("SELECT id FROM sessions WHERE name = ?1");
  find_turn_ = statement(
      "SELECT id, marks, text FROM entries WHERE turn = ?1 AND turn <> '' AND session = ?2");
  put_meta_ = statement("REPLACE INTO meta VALUES (?1, ?2)");
  put_hour_ = statement(
      "INSERT INTO hours VALUES (?1, ?2, ?3) ON CONFLICT (hour) DO UPDATE SET "
      "first = min(first, excluded.first), last = max(last, excluded.last)");
}

void SearchWriter::close() {
  close_search_file(*database_);
}

void SearchWriter::add(const std::vector<IndexChange>& changes, Sequence position) {
  SqliteTransaction transaction(*database_, SqliteTransaction::Kind::kWrite);
  const std::int64_t next_id = next_id_;
  try {
    for (const IndexChange& change : changes)
      apply(change);
    flush_hours();
    put_meta_->run("position", position);
    transaction.commit();
  } catch (...) {
    next_id_ = next_id;
    hours_.clear();
    sessions_.clear();  // their rows are rolled back
    throw;
  }
  position_ = position;
  checkpoint_if_due();
}

void SearchWriter::apply(const IndexChange& change) {
  if (const auto* const entry = std::get_if<SearchEntry>(&change)) {
    insert(*entry);
  } else if (const auto* const replaced = std::get_if<ReplacedTurn>(&change)) {
    remove_turn(replaced->session_id, replaced->turn_id);
    if (replaced->entry) insert(*replaced->entry);
  }
}

void SearchWriter::insert(const SearchEntry& entry) {
  const std::int64_t session = session_number(entry.session_id);
  const std::int64_t id = next_id_++;
  std::string marks = session_mark(session) + " " + kind_mark(entry.kind);
  if (entry.actor) marks += " " + actor_mark(*entry.actor);
  insert_entry_->run(id, entry.sequence, session, entry.index, unix_milliseconds(entry.time),
                     name_of(entry.kind), entry.actor ? name_of(*entry.actor) : "", entry.task_id,
                     entry.turn_id, entry.tool_name, entry.tool_call_id, marks, entry.text);
  insert_words_->run(id, entry.text, marks);
  note_hour(entry.time, id);
}

void SearchWriter::note_hour(WallTime time, std::int64_t id) {
  const std::int64_t hour = hour_of(time);
  const auto [found, is_new] = hours_.try_emplace(hour, Span{.first = id, .last = id});
  if (!is_new) found->second.last = id;
}

void SearchWriter::flush_hours() {
  for (const auto& [hour, span] : hours_)
    put_hour_->run(hour, span.first, span.last);
  hours_.clear();
}

void SearchWriter::add_imported(const std::vector<SearchEntry>& entries) {
  std::vector<IndexChange> missing;
  for (const SearchEntry& entry : entries) {
    if (!has_turn(entry.session_id, entry.turn_id)) missing.emplace_back(entry);
  }
  if (!missing.empty()) add(missing, position_);
}

void SearchWriter::note_imports() {
  put_meta_->run("imports", 1);
  has_imports_ = true;
}

bool SearchWriter::has_turn(const std::string& session_id, const std::string& turn_id) {
  return find_turn_->query(turn_id, session_number(session_id)).next();
}

void SearchWriter::remove_turn(const std::string& session_id, const std::string& turn_id) {
  std::vector<Row> rows;
  {
    SqliteRows row = find_turn_->query(turn_id, session_number(session_id));
    while (row.next()) {
      rows.push_back({.id = row.integer(0),
                      .marks = std::string(row.text(1)),
                      .text = std::string(row.text(2))});
    }
  }
  remove(rows);
}

void SearchWriter::remove(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    remove_words_->run(row.id, row.text, row.marks);
    remove_entry_->run(row.id);
  }
}

template <class Bound>
bool SearchWriter::remove_slice(std::string_view sql, const Bound& bound, Sequence until,
                                std::size_t max_rows) {
  std::vector<Row> rows;
  {
    SqliteStatement find(*database_, sql);
    SqliteRows row = find.query(bound, until, max_rows);
    while (row.next()) {
      rows.push_back({.id = row.integer(0),
                      .marks = std::string(row.text(1)),
                      .text = std::string(row.text(2))});
    }
  }
  if (rows.empty()) return false;
  SqliteTransaction transaction(*database_, SqliteTransaction::Kind::kWrite);
  remove(rows);
  // Frees what was removed, a little at a time.
  database_->execute("INSERT INTO words(words, rank) VALUES ('merge', 200)");
  database_->execute("DELETE FROM hours WHERE last < (SELECT coalesce(min(id), 0) FROM entries)");
  transaction.commit();
  checkpoint_if_due();
  return rows.size() == max_rows;
}

bool SearchWriter::remove_before(Sequence oldest) {
  return remove_slice(
      "SELECT id, marks, text FROM entries WHERE seq > 0 AND seq < ?1 "
      "AND seq <= ?2 ORDER BY seq LIMIT ?3",
      static_cast<std::int64_t>(oldest), kMaxSequence, kSlice);
}

bool SearchWriter::remove_beyond(std::uint64_t max_bytes) {
  if (bytes() <= max_bytes) return false;
  const bool has_more = remove_slice(
      "SELECT id, marks, text FROM entries WHERE id >= ?1 AND seq <= ?2 ORDER BY id LIMIT ?3", 0,
      kMaxSequence, std::clamp<std::size_t>(max_bytes / kBytesPerRow, kSlice / 10, kSlice));
  // Until words of removed entries are merged away, they take space: else more would be removed
  // than needed.
  database_->execute("INSERT INTO words(words, rank) VALUES ('merge', -2000)");
  return has_more;
}

// Its text is overwritten in the file, too.
bool SearchWriter::forget(const std::string& session_id, Sequence until) {
  std::int64_t session = 0;
  {
    SqliteRows row = find_session_->query(session_id);
    if (!row.next()) return false;
    session = row.integer(0);
  }
  database_->execute("PRAGMA secure_delete = ON");
  const bool has_more = remove_slice(
      "SELECT id, marks, text FROM entries WHERE id IN "
      "(SELECT rowid FROM words WHERE words MATCH '{marks} : ' || ?1) AND seq <= ?2 LIMIT ?3",
      session_mark(session), until, kSlice);
  if (!has_more) {
    SqliteStatement remove(*database_,
                           "DELETE FROM sessions WHERE id = ?1 AND NOT EXISTS "
                           "(SELECT 1 FROM words WHERE words MATCH '{marks} : ' || ?2)");
    remove.run(session, session_mark(session));
    sessions_.erase(session_id);
  }
  database_->execute("PRAGMA secure_delete = OFF");
  return has_more;
}

std::vector<std::string> SearchWriter::sessions() {
  std::vector<std::string> names;
  SqliteStatement find(*database_, "SELECT name FROM sessions");
  SqliteRows row = find.query();
  while (row.next())
    names.emplace_back(row.text(0));
  return names;
}

std::int64_t SearchWriter::session_number(const std::string& session_id) {
  const auto known = sessions_.find(session_id);
  if (known != sessions_.end()) return known->second;
  if (sessions_.size() >= kMaxCachedSessions) sessions_.clear();
  {
    SqliteRows row = find_session_->query(session_id);
    if (row.next()) return sessions_[session_id] = row.integer(0);
  }
  SqliteStatement add(*database_, "INSERT INTO sessions(name) VALUES (?1)");
  add.run(session_id);
  return sessions_[session_id] = database_->integer("SELECT last_insert_rowid()");
}

void SearchWriter::checkpoint_if_due() {
  if (database_->wal_pages() >= kCheckpointPages) database_->checkpoint();
}

}  // namespace oriel
