#pragma once
// The tables of the SQLite journal and the migrations to them. docs/journal-format.md describes
// their meaning.

#include "journal/sqlite/sqlite_database.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

constexpr int kSchemaVersion = 3;

// Migrates the file to kSchemaVersion, one version per transaction; an empty file has version 0.
// Throws std::runtime_error if the file was written by a newer Oriel or is not a journal.
void migrate(SqliteDatabase& database);

// Throws std::runtime_error unless the file is a journal of the newest version.
void require_schema(SqliteDatabase& database);

// Throws SqliteError if the counters are impossible or contradict each other. Requires the newest
// version.
void check_numbers(SqliteDatabase& database);

// The `meta` table.
std::optional<std::string> find_meta(SqliteDatabase& database, std::string_view key);
void set_meta(SqliteDatabase& database, std::string_view key, std::string_view value);
void erase_meta(SqliteDatabase& database, std::string_view key);

}  // namespace oriel
