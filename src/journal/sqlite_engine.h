#pragma once
// The journal's memory on disk: one SQLite file in WAL mode. docs/journal-format.md describes the
// schema.

#include "journal/journal_engine.h"

#include <filesystem>
#include <memory>

namespace oriel {

enum class Durability {
  kProcess,  // what was acknowledged survives a kill of the process (synchronous=NORMAL)
  kPower,    // and a power loss too, for an fsync a commit (synchronous=FULL)
};

struct SqliteEngineOptions {
  std::filesystem::path file;
  Durability durability = Durability::kProcess;
  Retention retention;
};

// Opens or creates the file, migrates an older schema and refuses a newer one. Throws
// std::runtime_error that names the file and the remedy. Only one process may hold the file: a
// second open is refused.
//
// After an unclean end of the whole machine with Durability::kProcess the last commits may be lost
// and their sequences would be given again; so such a file gets a new epoch, and old cursors are
// told of a gap.
std::unique_ptr<JournalEngine> open_sqlite_engine(SqliteEngineOptions options);

}  // namespace oriel
