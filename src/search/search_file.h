#pragma once
// The database of the search index: its place, its schema, and whether it fits the journal.

#include "base/sequence.h"
#include "journal/sqlite/sqlite_database.h"

#include <filesystem>
#include <memory>
#include <string>

namespace oriel {

// Of a database in memory, which its connections in this process share. Each call names another.
std::filesystem::path new_search_memory();

// Opens the index for this epoch of the journal, or makes an empty one: if there is none, if it
// belongs to another epoch or version, if it is ahead of the journal, if it is damaged, or if the
// machine stopped while it was open, because nothing of it is synced. Throws SqliteError.
std::unique_ptr<SqliteDatabase> open_search_file(const std::filesystem::path& file,
                                                 const std::string& epoch, Sequence head);

// Removes it, with SQLite's other files.
void remove_search_file(const std::filesystem::path& file);

// Call it before the connection is closed for good: the next start may use the file.
void close_search_file(SqliteDatabase& database);

}  // namespace oriel
