#include "search/search_file.h"

#include "base/id.h"
#include "base/log.h"
#include "posix/file_descriptor.h"

#include <fcntl.h>
#include <fstream>
#include <optional>

namespace oriel {
namespace {

constexpr int kVersion = 1;
constexpr int kApplication = 0x4f726973;  // "Oris"

// `marks` has what filters select, as words: the session, the kind, who said it. An entry's text is
// last, so that reading the columns before it reads no long text.
constexpr auto kSchema = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE sessions(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE entries(
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  session INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  time INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  task TEXT NOT NULL,
  turn TEXT NOT NULL,
  tool TEXT NOT NULL,
  call TEXT NOT NULL,
  marks TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX entries_by_seq ON entries(seq) WHERE seq > 0;
CREATE INDEX entries_by_turn ON entries(turn) WHERE turn <> '';

CREATE TABLE hours(
  hour INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE words USING fts5(text, marks, content='entries', content_rowid='id',
  tokenize="unicode61 remove_diacritics 2", prefix='2 3', columnsize=0);
)sql";

std::string boot_id() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return boot;
}

bool is_in_memory(const std::filesystem::path& file) {
  return file.native().starts_with("file:");
}

std::optional<std::string> meta(SqliteDatabase& database, std::string_view key) {
  SqliteStatement find(database, "SELECT value FROM meta WHERE key = ?1");
  SqliteRows row = find.query(key);
  if (!row.next()) return std::nullopt;
  return std::string(row.text(0));
}

void set_meta(SqliteDatabase& database, std::string_view key, std::string_view value) {
  SqliteStatement put(database, "REPLACE INTO meta VALUES (?1, ?2)");
  put.run(key, value);
}

std::unique_ptr<SqliteDatabase> open_file(const std::filesystem::path& file) {
  // What sessions say is private to the user who runs the server. SQLite gives its other files the
  // same mode.
  if (!is_in_memory(file))
    const FileDescriptor created(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  auto database = std::make_unique<SqliteDatabase>(file, SqliteDatabase::Access::kReadWrite);
  // The index can be made again, so it costs the disk no syncs. A process that dies damages
  // nothing.
  database->execute(
      "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
      "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = "
      "16777216");
  return database;
}

bool fits(SqliteDatabase& database, const std::string& epoch, Sequence head) {
  if (database.integer("PRAGMA application_id") != kApplication) return false;
  if (database.integer("PRAGMA user_version") != kVersion) return false;
  const std::int64_t position =
      database.number("SELECT coalesce((SELECT value FROM meta WHERE key = 'position'), 0)");
  if (static_cast<Sequence>(position) > head) return false;
  const auto open_boot = meta(database, "open_boot");
  return meta(database, "epoch") == epoch && (!open_boot || *open_boot == boot_id());
}

void make_schema(SqliteDatabase& database, const std::string& epoch) {
  SqliteTransaction transaction(database, SqliteTransaction::Kind::kWrite);
  database.execute(kSchema);
  database.execute("PRAGMA application_id = " + std::to_string(kApplication) +
                   "; PRAGMA user_version = " + std::to_string(kVersion));
  set_meta(database, "epoch", epoch);
  set_meta(database, "generation", random_id());
  transaction.commit();
}

// Null: it must be made anew.
std::unique_ptr<SqliteDatabase> open_existing(const std::filesystem::path& file,
                                              const std::string& epoch, Sequence head) {
  try {
    auto database = open_file(file);
    if (fits(*database, epoch, head)) return database;
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    log()->warn("search: {}; the index is made again", failure.what());
  }
  return nullptr;
}

}  // namespace

std::filesystem::path new_search_memory() {
  return "file:/oriel-search-" + random_id() + "?vfs=memdb";
}

std::unique_ptr<SqliteDatabase> open_search_file(const std::filesystem::path& file,
                                                 const std::string& epoch, Sequence head) {
  const bool exists = !is_in_memory(file) && std::filesystem::exists(file);
  auto database = exists ? open_existing(file, epoch, head) : nullptr;
  if (!database) {
    remove_search_file(file);
    database = open_file(file);
    make_schema(*database, epoch);
  }
  set_meta(*database, "open_boot", boot_id());
  return database;
}

void remove_search_file(const std::filesystem::path& file) {
  if (is_in_memory(file)) return;
  for (const char* const suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(file.native() + suffix);
}

void close_search_file(SqliteDatabase& database) {
  database.execute("DELETE FROM meta WHERE key = 'open_boot'");
}

}  // namespace oriel
