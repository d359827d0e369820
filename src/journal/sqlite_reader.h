#pragma once
// Questions to the SQLite journal: by sequence, and by session.

#include "journal/journal_engine.h"
#include "journal/sqlite_database.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Lives on the reader's thread, with a connection of its own. Each question is one short
// transaction: however few records match, it looks at a bounded number of rows, and Page::reached
// says how far it came.
class SqliteReader {
 public:
  explicit SqliteReader(const std::filesystem::path& file);

  Page read(const ReadQuery& query);
  SessionPage read_session(const SessionQuery& query);
  void visit_documents(std::string_view prefix, const DocumentVisitor& visit);

 private:
  // What the transaction sees.
  struct Snapshot {
    Sequence oldest;
    Sequence head;
    Sequence indexed;  // session_index has all events up to here
  };

  struct Session {
    std::int64_t id;
    std::int64_t removed;  // its indexes below this one are gone
  };

  // An event's place in session_index.
  struct Place {
    Sequence sequence;
    std::int64_t session;
    std::int64_t index;

    bool operator>(const Place& other) const { return sequence > other.sequence; }
  };

  class Answer;

  Snapshot snapshot();
  std::optional<Session> find_session(const std::string& name);
  std::vector<Session> find_sessions(const std::vector<std::string>& names);
  Sequence sequence_at(std::int64_t session, std::int64_t index);
  std::optional<Place> first_after(const Session& session, Sequence after);
  std::int64_t last_index(const Session& session, Sequence indexed);

  Sequence scan(Sequence after, Sequence until, Answer& answer);
  Sequence merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                 Answer& answer);
  std::int64_t collect(const Session& session, std::int64_t index, Sequence indexed,
                       Answer& answer);

  SqliteDatabase database_;
  SqliteStatement snapshot_;
  SqliteStatement find_session_;
  SqliteStatement sequence_at_;
  SqliteStatement last_indexed_;
  SqliteStatement last_unindexed_;
  SqliteStatement rows_between_;
  SqliteStatement row_at_;
  SqliteStatement unindexed_rows_;
  SqliteStatement body_;
  SqliteStatement documents_;
};

}  // namespace oriel
