#pragma once
// Reads the SQLite journal by sequence, by session, and its documents.

#include "journal/journal_engine.h"
#include "journal/sqlite_contents.h"
#include "journal/sqlite_database.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Used on the reader's thread, with a connection of its own. Each query is one short transaction
// that scans a bounded number of rows, however few of them match.
class SqliteReader {
 public:
  explicit SqliteReader(const std::filesystem::path& file);

  Page read(const ReadQuery& query);
  SessionPage read_session(const SessionQuery& query);
  void visit_documents(std::string_view prefix, const DocumentVisitor& visit);

 private:
  // The state that the current transaction sees.
  struct Snapshot {
    Sequence oldest;
    Sequence head;
    Sequence indexed;  // session_index contains all events up to here
  };

  struct Session {
    std::int64_t id;
    std::int64_t removed;  // events with a lower index have been removed
  };

  // An entry of session_index.
  struct IndexEntry {
    Sequence sequence;
    std::int64_t session;
    std::int64_t index;
    std::int64_t missing;  // entries that should be directly before it

    bool operator>(const IndexEntry& other) const { return sequence > other.sequence; }
  };

  class Collector;

  Snapshot snapshot();
  std::optional<Session> find_session(const std::string& name);
  std::vector<Session> find_sessions(const std::vector<std::string>& names);
  std::optional<IndexEntry> next_indexed(std::int64_t session, std::int64_t index);
  std::optional<IndexEntry> first_after(const Session& session, Sequence after);
  std::int64_t last_index(const Session& session, Sequence indexed);

  Sequence scan(Sequence after, Sequence until, Sequence oldest, Collector& collector);
  Sequence merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                 Collector& collector);
  bool read_body(Record& record);
  bool offer_entry(const IndexEntry& entry, Collector& collector);
  std::int64_t collect(const Session& session, std::int64_t index, Sequence indexed,
                       Collector& collector);

  SqliteDatabase database_;
  SqliteStatement snapshot_;
  SqliteStatement find_session_;
  SqliteStatement next_indexed_;
  SqliteStatement end_before_;
  SqliteStatement end_of_indexed_;
  SqliteStatement end_of_unindexed_;
  SqliteStatement rows_between_;
  SqliteStatement row_at_;
  SqliteStatement unindexed_rows_;
  SqliteStatement body_;
  SqliteContentReader contents_;
  SqliteStatement documents_;
};

}  // namespace oriel
