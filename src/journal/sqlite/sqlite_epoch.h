#pragma once
// Decides when a SQLite journal starts a new epoch.

#include "journal/sqlite/high_water.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

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
//
// A replica that has a position in its log keeps its epoch in both cases: it applies the lost
// commits again. A file with such a position that is no replica any more has left its cluster: it
// gets a new epoch, because from now on its sequences mean other events, and loses the position.
Epoch begin_epoch(SqliteDatabase& database, const SqliteEngineOptions& options,
                  const HighWater& high_water);

// Reserves the sequences up to `noted`, with a notice after them, if the file has lost them.
// Returns the loss as a sentence. Requires a write transaction.
std::optional<std::string> announce_loss(SqliteDatabase& database, Sequence noted);

// Syncs everything and removes the boot id. Nothing may be written afterwards.
void close_epoch(SqliteDatabase& database);

// Removes the boot id from a copy of the file: what a sync of the original left out is not missing
// in the copy.
void settle_copy(SqliteDatabase& copy);

}  // namespace oriel
