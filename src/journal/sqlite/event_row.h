#pragma once
// A record as a row of the SQLite journal's `events` table, and its checksum.

#include "base/event/record.h"
#include "journal/sqlite/sqlite_contents.h"
#include "journal/sqlite/sqlite_database.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// Covers all that is stored of a record, with the lengths of its texts. It contains the name of
// the session, so that a damaged `sessions` table is noticed, too.
std::uint32_t checksum_of(const Record& record);
std::uint32_t checksum_of_document(std::string_view key, std::string_view value);

// Inserts a record's row into `events`; `session` is its sessions.id, 0: none.
inline constexpr std::string_view kInsertEvent =
    "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
void insert_event(SqliteStatement& insert, const Record& record, std::int64_t session,
                  const StoredBody& stored);

// Selects all of the records but their bodies, which can be long and are read only if needed.
std::string events_where(std::string_view condition);

// The current row of such a statement.
Sequence sequence_of(const SqliteRows& row);
std::int64_t session_of(const SqliteRows& row);

// Reads it into `record`; keeps the body and the capacity of its strings. Throws SqliteError if its
// numbers are impossible.
void read_event(const SqliteRows& row, Record& record);

// Reads the bodies of records.
class EventBodies {
 public:
  explicit EventBodies(SqliteDatabase& database);

  // Requires all of the record but its body. False if it is not what was stored; versions before 3
  // stored no checksum.
  bool read(Record& record);

 private:
  SqliteStatement select_;
  SqliteContentReader contents_;
};

}  // namespace oriel
