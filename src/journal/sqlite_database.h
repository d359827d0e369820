#pragma once
// SQLite as C++: a connection, its statements and transactions, which close themselves; failures
// are exceptions.

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace oriel {

// Names the file and what SQLite says of it.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(const std::filesystem::path& file, int code, const std::string& problem);

  int code() const { return code_; }  // SQLite's primary result code

 private:
  int code_;
};

// One connection. Used by one thread at a time, with its statements.
class SqliteDatabase {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // Creates the file, if need be, when it may write.
  SqliteDatabase(std::filesystem::path file, Access access);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // Any number of statements; their rows are dropped.
  void execute(const std::string& sql);

  // The first column of the first row.
  std::int64_t integer(std::string_view sql);

  struct Checkpoint {
    int log_pages;    // in the write-ahead log
    int moved_pages;  // of these, in the file too
  };

  // Moves the write-ahead log into the file, as far as no open read or write still needs it.
  Checkpoint checkpoint();

  // Brings what was written to the file onto the disk.
  void sync();

  // Pages in the write-ahead log after this connection's last commit.
  int wal_pages() const { return wal_pages_; }

  bool is_in_transaction() const;

  const std::filesystem::path& file() const { return file_; }

 private:
  friend class SqliteStatement;
  friend class SqliteRows;

  static int note_wal_pages(void* self, sqlite3*, const char*, int pages);
  void check(int code) const;

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
  int wal_pages_ = 0;
};

// The rows of a running statement, which is free to run again once they are gone.
class SqliteRows {
 public:
  ~SqliteRows();
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;

  // Goes to the next row, at first to the first one; false when there is none.
  bool next();

  // Goes to a row that must be there: a file without it is damaged.
  void expect();

  // Columns of this row, from 0. A text is valid until next().
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;

 private:
  friend class SqliteStatement;

  SqliteRows(const SqliteDatabase& database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  const SqliteDatabase& database_;
  sqlite3_stmt* statement_;
};

// Prepared once, run often. Its parameters are ?1, ?2 and so on.
class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, std::string_view sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Text is bound without a copy: it must outlive the rows.
  template <class... Values>
  SqliteRows query(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
    return SqliteRows(database_, statement_);
  }

  // Runs it to its end.
  template <class... Values>
  void run(const Values&... values) {
    SqliteRows rows = query(values...);
    while (rows.next()) {
    }
  }

 private:
  template <std::integral Integer>
  void bind(int parameter, Integer value) {
    bind_integer(parameter, static_cast<std::int64_t>(value));
  }

  void bind(int parameter, std::string_view text) { bind_text(parameter, text); }

  void bind_integer(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view text);

  SqliteDatabase& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// All or nothing: what is not committed is rolled back.
class SqliteTransaction {
 public:
  enum class Kind {
    kRead,   // one snapshot, taken by the first read
    kWrite,  // alone with the file from the start
  };

  SqliteTransaction(SqliteDatabase& database, Kind kind);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  void commit();

 private:
  SqliteDatabase& database_;
};

}  // namespace oriel
