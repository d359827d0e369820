#pragma once
// Rescues what is readable of a damaged SQLite journal.

#include "base/sequence.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace oriel {

struct JournalRepair {
  std::uint64_t events = 0;        // kept
  std::uint64_t lost = 0;          // events
  std::uint64_t documents = 0;     // kept
  std::filesystem::path old_file;  // where the damaged file is now
};

// Copies all readable events and documents into a new file, which takes the place of the old one.
// Events keep their sequences and indexes; the index by session is made anew, and the epoch is a
// new one, which assigns no sequence of the old one again. The old file is kept beside it. Throws
// std::runtime_error, and leaves the old file in its place, if another process uses the journal,
// its schema cannot be read, or a write fails.
JournalRepair repair_journal(const std::filesystem::path& file);

}  // namespace oriel
