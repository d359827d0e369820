#pragma once
// Writes the search index. Blocking; used by one thread.

#include "journal/sqlite/sqlite_database.h"
#include "search/search_entry.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel {

// The words that mark an entry for filters.
std::string session_mark(std::int64_t session);
std::string kind_mark(SearchKind kind);
std::string actor_mark(TurnActor actor);

// The hour of its time, by which entries are found in a span of time.
std::int64_t hour_of(WallTime time);

// Each function is one transaction. Failures are exceptions, SqliteError as a rule.
class SearchWriter {
 public:
  // `head` is the newest sequence of the journal.
  SearchWriter(const std::filesystem::path& file, const std::string& epoch, Sequence head);

  // Leaves a file that the next start can use, unless an exception was thrown before.
  void close();

  Sequence position() const { return position_; }  // everything up to here is indexed

  std::uint64_t bytes() { return database_->used_bytes(); }

  // Whether imported turns have been added since the index was made.
  bool has_imports() const { return has_imports_; }

  // Adds the changes of all events up to this position.
  void add(const std::vector<IndexChange>& changes, Sequence position);

  // Adds those that are not there yet.
  void add_imported(const std::vector<SearchEntry>& entries);
  void note_imports();

  // Each removes a slice, and returns whether there is more.
  bool remove_before(Sequence oldest);
  bool remove_beyond(std::uint64_t max_bytes);
  // Of a session: what was indexed of its events up to there, and of its imported turns.
  bool forget(const std::string& session_id, Sequence until);

  std::vector<std::string> sessions();

 private:
  struct Row {
    std::int64_t id = 0;
    std::string marks;
    std::string text;
  };

  void prepare();
  void apply(const IndexChange& change);
  void insert(const SearchEntry& entry);
  void note_hour(WallTime time, std::int64_t id);
  void flush_hours();
  void remove_turn(const std::string& session_id, const std::string& turn_id);
  bool has_turn(const std::string& session_id, const std::string& turn_id);
  void remove(const std::vector<Row>& rows);
  template <class Bound>
  bool remove_slice(std::string_view sql, const Bound& bound, Sequence until, std::size_t max_rows);
  std::int64_t session_number(const std::string& session_id);
  void checkpoint_if_due();

  std::unique_ptr<SqliteDatabase> database_;
  std::unique_ptr<SqliteStatement> insert_entry_;
  std::unique_ptr<SqliteStatement> insert_words_;
  std::unique_ptr<SqliteStatement> remove_entry_;
  std::unique_ptr<SqliteStatement> remove_words_;
  std::unique_ptr<SqliteStatement> find_session_;
  std::unique_ptr<SqliteStatement> find_turn_;
  std::unique_ptr<SqliteStatement> put_meta_;
  std::unique_ptr<SqliteStatement> put_hour_;
  Sequence position_;
  bool has_imports_;
  std::int64_t next_id_;
  std::unordered_map<std::string, std::int64_t> sessions_;  // some of the numbers

  struct Span {
    std::int64_t first;
    std::int64_t last;
  };

  std::map<std::int64_t, Span> hours_;  // of this transaction
};

}  // namespace oriel
