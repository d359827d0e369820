#pragma once
// How far an agent's transcript was read, and which entries are repeated. Pure.

#include "base/time.h"
#include "transcript/transcript_entry.h"
#include "transcript/transcript_position.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Entries that were read from a transcript.
struct EntryBatch {
  std::vector<TranscriptEntry> entries;
  TranscriptPosition position;  // behind them
  bool is_from_start = false;   // the file was truncated or replaced
  bool is_import = false;       // of the past: creates turns without events
};

// A file that continues another one, or was rewritten, repeats entries. Turns are recognized by the
// ids of their entries, everything else by its time.
struct TranscriptProgress {
  TranscriptPosition position;
  std::string wanted_path;  // a hook named this file; it is followed after the current one's end
  std::optional<WallTime> last_entry_at;
  std::vector<std::string> last_entry_ids;  // of the entries of that time
  std::optional<WallTime> repeated_until;   // older entries are repeats, and of that time...
  std::vector<std::string> repeated_ids;    // ...those with these ids

  // A batch is about to be read. An agent that has a transcript keeps it while another is imported.
  void advance(const EntryBatch& batch);

  // Moves on to the wanted file.
  void follow_wanted();

  // `at` is the entry's time, or the best guess.
  bool is_repeat(const TranscriptEntry& entry, WallTime at) const;

  void note(const TranscriptEntry& entry, const std::optional<WallTime>& time);

  bool operator==(const TranscriptProgress&) const = default;

 private:
  void expect_repeats();
};

// The time, or none if it is implausible: it could not be stored, or would stay the newest forever.
std::optional<WallTime> plausible_time(const std::optional<WallTime>& time, WallTime now);

}  // namespace oriel
