#pragma once
// Finds what is damaged or missing in a SQLite journal.

#include "base/sequence.h"
#include "journal/sqlite/sqlite_database.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct JournalCheck {
  Sequence oldest = kNoSequence;  // stored; 0: the journal is empty
  Sequence newest = kNoSequence;
  std::uint64_t sound = 0;            // events that are as they were stored
  std::uint64_t lost = 0;             // events that are missing or were changed
  std::uint64_t known_missing = 0;    // events whose loss was reported before
  std::uint64_t documents = 0;        // sound ones
  std::vector<std::string> problems;  // sentences without a full stop, the first ones

  bool is_sound() const { return problems.empty(); }
};

// How much of the events is read.
struct CheckLimits {
  std::uint64_t newest_events = kMaxSequence;
  std::uint64_t max_bytes = UINT64_MAX;
};

// The events only, against the numbers and sessions around them. Throws SqliteError if the newest
// ones cannot be found, or the disk fails.
JournalCheck check_events(const std::filesystem::path& file, const CheckLimits& limits);

// All of the file, with its indexes. It may be in use. Throws std::runtime_error if the file cannot
// be opened or its schema is not of this version.
JournalCheck check_journal(const std::filesystem::path& file);

}  // namespace oriel
