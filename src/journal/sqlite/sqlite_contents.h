#pragma once
// Long texts of the SQLite journal, each stored once. A growing answer is in many events, each with
// all of the text so far: these events refer to one content, and a commit appends to it only what
// is new.

#include "base/event/record.h"
#include "journal/sqlite/sqlite_database.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The first `size` bytes of a content, which belong into the stored body at `offset`.
struct ContentReference {
  std::int64_t content = 0;  // 0: the stored body is complete
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

// A body as it is stored.
struct StoredBody {
  std::string without_text;  // empty if `text.content` is 0: the record's own body is stored
  ContentReference text;
};

// Writes contents, on the journal's thread. Everything but construction and rolled_back() requires
// a write transaction.
class SqliteContents {
 public:
  explicit SqliteContents(SqliteDatabase& database);

  // Stores the record's text if it is long, as far as the session's recent texts do not have it.
  StoredBody store(const RecordPtr& record);

  // Whether events after `sequence` refer to the content.
  bool is_used_after(std::int64_t content, Sequence sequence);

  // Removes the contents to which only events up to `last` refer. Call before deleting these.
  void remove_until(Sequence last);

  // The current transaction was rolled back, with everything done here.
  void rolled_back();

 private:
  // A content that may grow.
  struct Recent {
    std::int64_t content;
    RecordPtr record;  // the one with the whole text
    std::string_view text;
  };

  Recent take_recent(const std::string& session_id, std::string_view text);
  void keep(Recent recent);
  void append(std::int64_t content, std::size_t offset, std::string_view text);

  SqliteStatement insert_;
  SqliteStatement last_content_;
  SqliteStatement is_used_;
  SqliteStatement contents_until_;
  SqliteStatement delete_;

  std::vector<Recent> recent_;  // least recently used first
  std::size_t recent_bytes_ = 0;
  std::int64_t next_content_;
};

// Reads contents, with a connection of its own.
class SqliteContentReader {
 public:
  explicit SqliteContentReader(SqliteDatabase& database);

  // Inserts the text into the stored body. Returns false if the content does not have it, or the
  // reference is impossible: the file is damaged.
  bool restore(const ContentReference& text, std::string& body);

 private:
  SqliteStatement chunks_;
};

}  // namespace oriel
