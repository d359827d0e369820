#pragma once
// Reads the SQLite journal by sequence, by session, and its documents.

#include "journal/journal_engine.h"
#include "journal/sqlite/event_row.h"
#include "journal/sqlite/sqlite_database.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

class RowCollector;

// Used on the reader's thread, with a connection of its own. Each query is one short transaction
// that scans a bounded number of rows, however few of them match.
class SqliteReader {
 public:
  explicit SqliteReader(const std::filesystem::path& file);

  Page read(const ReadQuery& query);
  SessionPage read_session(const SessionQuery& query);
  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit);

 private:
  // The state that the current transaction sees.
  struct Snapshot {
    Sequence oldest;
    Sequence head;
    Sequence indexed;      // session_index contains all events up to here
    Sequence known_holes;  // events up to here that are missing are known to be
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

  // Rows that follow each other without a hole.
  struct Run {
    Sequence end;          // the first that is not part of it
    Sequence following;    // the next row that SQLite found; after the end of the scan: none
    bool is_full = false;  // the page has no room for `end`
  };

  // What became of an entry.
  enum class Offer {
    kDone,        // its record was collected, or counted as missing
    kPageIsFull,  // the page ends before it
    kOfAnother,   // it leads to another session's or another index's record
  };

  Snapshot snapshot();
  std::optional<Session> find_session(const std::string& name);
  std::vector<Session> find_sessions(const std::vector<std::string>& names);
  std::optional<IndexEntry> next_indexed(std::int64_t session, std::int64_t index);
  std::optional<IndexEntry> first_after(const Session& session, Sequence after);
  std::int64_t last_index(const Session& session, Sequence indexed);

  template <class Walk>
  Page collect_page(const ReadQuery& query, const Snapshot& now, Walk walk);
  Sequence scan(Sequence after, Sequence until, Sequence oldest, RowCollector& collector);
  Run scan_run(Sequence first, Sequence until, int& scanned, RowCollector& collector);
  Sequence find_readable(Sequence first, Sequence end);
  bool is_readable(Sequence sequence);
  Sequence merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                 Sequence known_holes, RowCollector& collector);
  Offer offer_entry(const IndexEntry& entry, RowCollector& collector);
  std::int64_t collect(const Session& session, std::int64_t index, Sequence indexed,
                       RowCollector& collector);

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
  SqliteStatement probe_;
  EventBodies bodies_;
  SqliteStatement documents_;
};

}  // namespace oriel
