#pragma once
// Parses the lines of a transcript. Pure.

#include "transcript/jsonl_splitter.h"
#include "transcript/transcript_entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct SkippedLine {
  std::uint64_t offset = 0;  // in the file
  std::string why;

  bool operator==(const SkippedLine&) const = default;
};

struct ReadLines {
  std::vector<TranscriptEntry> entries;
  std::vector<SkippedLine> skipped;
  std::optional<TranscriptFormat> format;  // of the file; none: no line has shown it
};

// `known` is the format that earlier lines have shown. `fallback` is used until a line shows it.
ReadLines read_lines(const std::vector<JsonlLine>& lines, std::optional<TranscriptFormat> known,
                     TranscriptFormat fallback);

}  // namespace oriel
