#include "journal/sqlite/sqlite_database.h"

#include "base/log.h"
#include "journal/failpoints/sync_failpoints.h"

#include <sqlite3.h>
#include <thread>

namespace oriel {
namespace {

constexpr int kBusyMilliseconds = 5000;
constexpr int kCheckpointTries = 100;
constexpr int kPrimaryCode = 0xff;  // the rest of a result code has the details
constexpr std::int64_t kMaxNumber = std::int64_t{1} << 53;  // what JSON's readers hold exactly

}  // namespace

SqliteError::SqliteError(const std::filesystem::path& file, int code, const std::string& problem)
    : std::runtime_error(file.string() + ": " + problem), extended_code_(code), problem_(problem) {}

int SqliteError::code() const {
  return extended_code_ & kPrimaryCode;
}

bool SqliteError::is_damage() const {
  return code() == SQLITE_CORRUPT || code() == SQLITE_NOTADB;
}

bool SqliteError::is_failed_sync() const {
  return extended_code_ == SQLITE_IOERR_FSYNC || extended_code_ == SQLITE_IOERR_DIR_FSYNC;
}

SqliteDatabase::SqliteDatabase(std::filesystem::path file, Access access) : file_(std::move(file)) {
  // SQLite's memory statistics take a lock that all connections share, and nothing reads them.
  [[maybe_unused]] static const int kConfigured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

#ifndef ORIEL_NO_FAILPOINTS
  add_sync_failpoints();
#endif

  // No mutex: a connection is used by one thread at a time.
  int flags = access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (file_.native().starts_with("file:")) flags |= SQLITE_OPEN_URI;
  const int code = sqlite3_open_v2(file_.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string problem = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw SqliteError(file_, code, problem);
  }
  sqlite3_extended_result_codes(handle_, 1);
  distrust_schema();
  // Another program may have the file open, such as the sqlite3 shell.
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // Replaces SQLite's automatic checkpoints: SqliteCheckpointer decides.
  sqlite3_wal_hook(handle_, note_wal_pages, this);
}

SqliteDatabase::~SqliteDatabase() {
  const int code = sqlite3_close(handle_);
  if (code != SQLITE_OK) log()->error("{}: cannot close: {}", file_.string(), sqlite3_errstr(code));
}

// A file of unknown origin must not run code of its own: Oriel uses no triggers and no views.
void SqliteDatabase::distrust_schema() {
  for (const int feature : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                            SQLITE_DBCONFIG_ENABLE_VIEW}) {
    check(sqlite3_db_config(handle_, feature, 0, nullptr));
  }
  check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
}

int SqliteDatabase::note_wal_pages(void* self, sqlite3* /*handle*/, const char* /*schema*/,
                                   int pages) {
  static_cast<SqliteDatabase*>(self)->wal_pages_ = pages;
  return SQLITE_OK;
}

void SqliteDatabase::check(int code) const {
  if (code != SQLITE_OK) throw SqliteError(file_, code, sqlite3_errmsg(handle_));
}

void SqliteDatabase::execute(const std::string& sql) {
  check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t SqliteDatabase::integer(std::string_view sql) {
  SqliteStatement statement(*this, sql);
  SqliteRows rows = statement.query();
  rows.expect();
  return rows.integer(0);
}

std::int64_t SqliteDatabase::number(std::string_view sql) {
  SqliteStatement statement(*this, sql);
  SqliteRows rows = statement.query();
  rows.expect();
  return rows.number(0);
}

SqliteDatabase::Checkpoint SqliteDatabase::checkpoint() {
  Checkpoint done{};
  int code = SQLITE_BUSY;
  // Busy for a moment: a commit is updating the log's header.
  for (int i = 0; i < kCheckpointTries && (code & kPrimaryCode) == SQLITE_BUSY; ++i) {
    if (i > 0) std::this_thread::yield();
    code = sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &done.log_pages,
                                     &done.copied_pages);
  }
  check(code);
  return done;
}

void SqliteDatabase::sync() {
  sqlite3_file* file = nullptr;
  check(sqlite3_file_control(handle_, nullptr, SQLITE_FCNTL_FILE_POINTER, &file));
  const int code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
  if (code != SQLITE_OK) throw SqliteError(file_, code, sqlite3_errstr(code));
}

std::uint64_t SqliteDatabase::used_bytes() {
  const std::int64_t pages = number("PRAGMA page_count") - number("PRAGMA freelist_count");
  return static_cast<std::uint64_t>(pages * number("PRAGMA page_size"));
}

void SqliteDatabase::keep_log_when_closed() {
  check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
}

bool SqliteDatabase::is_in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

SqliteRows::~SqliteRows() {
  sqlite3_reset(statement_);
}

bool SqliteRows::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.check(code);
  return false;
}

void SqliteRows::expect() {
  if (next()) return;
  throw SqliteError(database_.file(), SQLITE_CORRUPT,
                    std::string("damaged: no row for ") + sqlite3_sql(statement_));
}

std::int64_t SqliteRows::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

bool SqliteRows::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t SqliteRows::number(int column) const {
  const bool is_integer = sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
  const std::int64_t value = integer(column);
  if (is_integer && value >= 0 && value <= kMaxNumber) return value;
  throw SqliteError(database_.file(), SQLITE_CORRUPT,
                    "damaged: " + std::string(text(column)) + " is not a possible number in " +
                        sqlite3_sql(statement_));
}

std::string_view SqliteRows::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

SqliteStatement::SqliteStatement(SqliteDatabase& database, std::string_view sql)
    : database_(database) {
  database_.check(sqlite3_prepare_v3(database_.handle_, sql.data(), static_cast<int>(sql.size()),
                                     SQLITE_PREPARE_PERSISTENT, &statement_, nullptr));
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(statement_);
}

void SqliteStatement::bind_integer(int parameter, std::int64_t value) {
  database_.check(sqlite3_bind_int64(statement_, parameter, value));
}

void SqliteStatement::bind_text(int parameter, std::string_view text) {
  // A null pointer would bind NULL instead of an empty text.
  const char* bytes = text.data() == nullptr ? "" : text.data();
  database_.check(
      sqlite3_bind_text64(statement_, parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

SqliteTransaction::SqliteTransaction(SqliteDatabase& database, Kind kind) : database_(database) {
  database_.execute(kind == Kind::kRead ? "BEGIN" : "BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction() {
  // After some errors SQLite has rolled back by itself.
  if (!database_.is_in_transaction()) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const SqliteError& failure) {
    log()->error("rollback failed: {}", failure.what());
  }
}

void SqliteTransaction::commit() {
  database_.execute("COMMIT");
}

}  // namespace oriel
