#pragma once
// Decides when a SQLite journal starts a new epoch.

#include "journal/sqlite_database.h"
#include "journal/sqlite_engine.h"

#include <string>

namespace oriel {

// Returns the epoch of a migrated file, and configures how commits are synced.
//
// With Durability::kProcess the file records the machine's boot id while it is open. If it was not
// closed and the machine has booted since, its last commits may be lost and their sequences would
// be assigned twice: it gets a new epoch.
std::string begin_epoch(SqliteDatabase& database, Durability durability);

// Syncs everything and removes the boot id. Nothing may be written afterwards.
void close_epoch(SqliteDatabase& database);

}  // namespace oriel
