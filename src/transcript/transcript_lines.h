#pragma once
// A transcript's lines in, its entries out; what cannot be read is left out and said. Pure.

#include "transcript/jsonl_splitter.h"
#include "transcript/transcript_entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct SkippedLine {
  std::uint64_t offset = 0;  // in its file
  std::string why;

  bool operator==(const SkippedLine&) const = default;
};

struct ReadLines {
  std::vector<TranscriptEntry> entries;
  std::vector<SkippedLine> skipped;
  std::optional<TranscriptFormat> format;  // of the file, once a line has shown it
};

// `known` is the file's format as far as lines before have shown it; `otherwise` is taken while no
// line does.
ReadLines read_lines(const std::vector<JsonlLine>& lines, std::optional<TranscriptFormat> known,
                     TranscriptFormat otherwise);

}  // namespace oriel
