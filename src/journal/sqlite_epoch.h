#pragma once
// When the SQLite journal's numbers start a new life.

#include "journal/sqlite_database.h"
#include "journal/sqlite_engine.h"

#include <string>

namespace oriel {

// To be called once the file is open and migrated: returns its epoch, and sets how hard commits are
// synced.
//
// With Durability::kProcess the file notes which boot of the machine it is written in. Found again
// in another boot without a close in between, its last commits may be gone and their sequences
// would be given twice: a new epoch.
std::string begin_epoch(SqliteDatabase& database, Durability durability);

// Syncs everything and takes the note away. Nothing may be written after it.
void close_epoch(SqliteDatabase& database);

}  // namespace oriel
