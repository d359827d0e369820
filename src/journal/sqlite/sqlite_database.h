#pragma once
// RAII wrappers of SQLite's connections, statements and transactions. Failures are exceptions.

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

// The message names the file and SQLite's own error.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(const std::filesystem::path& file, int code, const std::string& problem);

  int code() const;  // SQLite's primary result code

  // Stored data cannot be read.
  bool is_damage() const;

  // What was written before may not reach the disk, although the kernel has it: it reports such a
  // failure once, and then takes the data for stored.
  bool is_failed_sync() const;

  const std::string& problem() const { return problem_; }  // without the file

 private:
  int extended_code_;
  std::string problem_;
};

// A connection. It and its statements are used by one thread at a time.
class SqliteDatabase {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // With kReadWrite, creates the file if it does not exist. A name that begins with "file:" is a
  // URI of SQLite, such as that of a database in memory.
  SqliteDatabase(std::filesystem::path file, Access access);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // Runs any number of statements and discards their rows.
  void execute(const std::string& sql);

  // The first column of the first row. number() checks like SqliteRows::number().
  std::int64_t integer(std::string_view sql);
  std::int64_t number(std::string_view sql);

  struct Checkpoint {
    int log_pages;     // in the write-ahead log
    int copied_pages;  // of these, already in the database file
  };

  // Copies the write-ahead log into the database file, as far as open transactions allow.
  Checkpoint checkpoint();

  // Syncs the database file to disk.
  void sync();

  // Bytes in use: the file keeps pages that were freed.
  std::uint64_t used_bytes();

  // Leaves the write-ahead log as it is when the last connection is closed.
  void keep_log_when_closed();

  // Pages in the write-ahead log after this connection's last commit.
  int wal_pages() const { return wal_pages_; }

  bool is_in_transaction() const;

  const std::filesystem::path& file() const { return file_; }

 private:
  friend class SqliteStatement;
  friend class SqliteRows;

  void distrust_schema();
  static int note_wal_pages(void* self, sqlite3*, const char*, int pages);
  void check(int code) const;

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
  int wal_pages_ = 0;
};

// The rows of a running statement. Destroying them resets it.
class SqliteRows {
 public:
  ~SqliteRows();
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;

  // Advances to the next row, initially the first; false if there is none.
  bool next();

  // Advances to a row that must exist; throws if there is none, because the file is damaged.
  void expect();

  // Columns of the current row, from 0. A text is valid until next().
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  bool is_null(int column) const;

  // A sequence, an index or a count: not negative, and too small to overflow. Throws for any other
  // value, because the file is damaged.
  std::int64_t number(int column) const;

 private:
  friend class SqliteStatement;

  SqliteRows(const SqliteDatabase& database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  const SqliteDatabase& database_;
  sqlite3_stmt* statement_;
};

// A prepared statement with parameters ?1, ?2, ...
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

  // Runs the statement and discards its rows.
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

// Rolls back unless committed.
class SqliteTransaction {
 public:
  enum class Kind {
    kRead,   // a snapshot, taken by the first read
    kWrite,  // excludes other writers from the start
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
