#include "journal/sqlite/sqlite_schema.h"

#include <array>
#include <sqlite3.h>

namespace oriel {
namespace {

constexpr std::int64_t kApplicationId = 0x4f72696c;  // "Oril": identifies the file as Oriel's

// kMigrations[N] migrates version N to N + 1. A released migration never changes.
constexpr std::array<const char*, kSchemaVersion> kMigrations = {
    R"sql(
      PRAGMA application_id = 0x4f72696c;
      CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO meta VALUES ('indexed', 0);
      CREATE TABLE sessions(
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        removed INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE events(
        seq INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        time INTEGER NOT NULL,
        type TEXT NOT NULL,
        project TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE TABLE session_index(
        session INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (session, idx)
      ) STRICT, WITHOUT ROWID;
    )sql",
    R"sql(
      ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
      CREATE TABLE documents(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    )sql",
    R"sql(
      ALTER TABLE events ADD COLUMN crc INTEGER;
      ALTER TABLE events ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE events ADD COLUMN text_offset INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE events ADD COLUMN text_size INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX events_by_content ON events(content) WHERE content > 0;
      CREATE TABLE contents(
        content INTEGER NOT NULL,
        first INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (content, first)
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE documents ADD COLUMN crc INTEGER;
    )sql",
};

[[noreturn]] void reject(const SqliteDatabase& database, const std::string& reason) {
  throw std::runtime_error(database.file().string() + " " + reason);
}

}  // namespace

void migrate(SqliteDatabase& database) {
  std::int64_t version = database.integer("PRAGMA user_version");
  const bool is_ours = database.integer("PRAGMA application_id") == kApplicationId;
  const bool is_empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_ours && !(version == 0 && is_empty)) {
    reject(database,
           "is a database of another program; move it away, or choose another --data-dir");
  }
  if (version > kSchemaVersion) {
    reject(database, "was written by a newer Oriel (its schema is version " +
                         std::to_string(version) + ", this Oriel knows up to " +
                         std::to_string(kSchemaVersion) +
                         "); upgrade Oriel, or choose another --data-dir");
  }
  if (version < 0) {
    reject(database, "is damaged: the version of its schema is " + std::to_string(version) +
                         "; restore it from a backup, or move it away to start with an empty one");
  }
  for (; version < kSchemaVersion; ++version) {
    SqliteTransaction transaction(database, SqliteTransaction::Kind::kWrite);
    database.execute(kMigrations[static_cast<std::size_t>(version)]);
    database.execute("PRAGMA user_version = " + std::to_string(version + 1));
    transaction.commit();
  }
}

void require_schema(SqliteDatabase& database) {
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    reject(database, "is not a journal of Oriel; restore it from a backup if it should be");
  }
  if (version != kSchemaVersion) {
    reject(database, "has a schema of version " + std::to_string(version) +
                         ", this Oriel has version " + std::to_string(kSchemaVersion) +
                         "; start the server once to migrate an older one");
  }
}

void check_numbers(SqliteDatabase& database) {
  const std::int64_t oldest = database.number("SELECT coalesce(min(seq), 1) FROM events");
  const std::int64_t head = database.number("SELECT coalesce(max(seq), 0) FROM events");
  const std::int64_t indexed = database.number("SELECT value FROM meta WHERE key = 'indexed'");
  if (oldest >= 1 && indexed <= head) return;
  throw SqliteError(database.file(), SQLITE_CORRUPT,
                    "damaged: it has the events " + std::to_string(oldest) + " to " +
                        std::to_string(head) + ", and an index up to " + std::to_string(indexed));
}

std::optional<std::string> find_meta(SqliteDatabase& database, std::string_view key) {
  SqliteStatement select(database, "SELECT value FROM meta WHERE key = ?1");
  SqliteRows rows = select.query(key);
  if (!rows.next()) return std::nullopt;
  return std::string(rows.text(0));
}

void set_meta(SqliteDatabase& database, std::string_view key, std::string_view value) {
  SqliteStatement(database, "REPLACE INTO meta VALUES (?1, ?2)").run(key, value);
}

void erase_meta(SqliteDatabase& database, std::string_view key) {
  SqliteStatement(database, "DELETE FROM meta WHERE key = ?1").run(key);
}

}  // namespace oriel
