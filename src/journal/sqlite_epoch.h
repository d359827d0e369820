#pragma once
// Decides when a SQLite journal starts a new epoch.

#include "journal/high_water.h"
#include "journal/sqlite_database.h"
#include "journal/sqlite_engine.h"

#include <optional>
#include <string>

namespace oriel {

struct Epoch {
  std::string id;
  std::optional<std::string> loss;  // the events that the file has lost, as a sentence
};

// Returns the epoch of a migrated file, and configures how commits are synced.
//
// With Durability::kProcess the file records the machine's boot id while it is open. If it was not
// closed and the machine has booted since, its last commits may be lost and their sequences would
// be assigned twice: it gets a new epoch.
//
// If the file ends before the highest sequence that was noted beside it, its last commits are lost:
// it gets a new epoch, and a notice after the missing sequences. They are not assigned again, so
// that readers find a hole in front of the notice.
Epoch begin_epoch(SqliteDatabase& database, Durability durability, const HighWater& high_water);

// Syncs everything and removes the boot id. Nothing may be written afterwards.
void close_epoch(SqliteDatabase& database);

}  // namespace oriel
