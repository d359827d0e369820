#pragma once
// An engine on disk: one SQLite file in WAL mode. docs/journal-format.md describes the schema.

#include "journal/journal_engine.h"

#include <filesystem>
#include <memory>

namespace oriel {

enum class Durability {
  kProcess,  // acknowledged events survive a crash of the process (synchronous=NORMAL)
  kPower,    // and a power loss, at the price of an fsync per commit (synchronous=FULL)
};

struct SqliteEngineOptions {
  std::filesystem::path file;
  Durability durability = Durability::kProcess;
  Retention retention = {};

  // It applies a log that other nodes apply, too. Commits that it has lost come again from that log
  // and get the same sequences, so its epoch stays; and what it assigns never depends on its own
  // retention. A file that was a replica and is none any more gets a new epoch.
  bool is_replica = false;

  std::string new_epoch = {};   // of a file that has none yet; empty: a random one
  std::string next_epoch = {};  // replaces that of the file; empty: it stays
};

// Opens or creates the file and migrates an older schema. Throws std::runtime_error, which names
// the file and the remedy, if the schema is newer, the file is damaged or another process has
// it open.
//
// With Durability::kProcess a crash of the machine may lose the last commits, and their sequences
// would be assigned again. Such a file gets a new epoch, so that old cursors produce a gap.
std::unique_ptr<JournalEngine> open_sqlite_engine(SqliteEngineOptions options);

}  // namespace oriel
