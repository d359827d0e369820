#pragma once
// The tables of the SQLite journal, and the way to them from every older version.
// docs/journal-format.md describes what they mean.

#include "journal/sqlite_database.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

constexpr int kSchemaVersion = 2;

// Brings the file to kSchemaVersion, step by step, each in a transaction of its own; an empty file
// is version 0. Throws for a file that a newer Oriel wrote, and for a database that is not a
// journal.
void migrate(SqliteDatabase& database);

// Facts about the journal as a whole.
std::optional<std::string> find_meta(SqliteDatabase& database, std::string_view key);
void set_meta(SqliteDatabase& database, std::string_view key, std::string_view value);
void erase_meta(SqliteDatabase& database, std::string_view key);

}  // namespace oriel
